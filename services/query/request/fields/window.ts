import type { Parsing } from '../parse-context.ts';
import type { Json } from '../request-body.ts';
import type { LocalWindow } from '../selection.ts';
import type { RequestFields } from './request-field.ts';
import { object, trueOrFalse } from './shapes.ts';

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const example = '{ "days": ["mon", "tue"], "hours": [19, 20, 21, 22] }';

const fields = {
  days: {
    schema: { type: 'array', minItems: 1 },
    items: { schema: { type: 'string', enum: dayNames } },
  },
  hours: {
    schema: { type: 'array', minItems: 1 },
    items: { schema: { type: 'integer', minimum: 0, maximum: 23 } },
  },
  invert: {
    ...trueOrFalse,
    default: false,
    about: 'All results outside of the window instead.',
  },
} satisfies RequestFields;

export const windowFields = {
  window: {
    component: 'LocalWindow',
    ...object(fields, `Send an object, such as ${example}.`, parseWindow),
    about:
      'Only results whose local time is on these weekdays and in these hours; `19` is from 19:00:00 to 19:59:59. Send `days`, `hours` or both.',
    example: { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: [19, 20, 21, 22] },
    flags: {
      days: { value: 'mon-fri', sets: 'days', about: 'only these local weekdays' },
      hours: {
        value: '19-22',
        sets: 'hours',
        about: 'only these local hours, here from 19:00 to 22:59',
      },
      outside: { sets: 'invert', about: 'only results outside of --days and --hours' },
    },
  },
} satisfies RequestFields;

function parseWindow(window: Json, path: string, scope: Parsing): LocalWindow | null {
  if (window.days === undefined && window.hours === undefined) {
    return scope.problems.add(path, `Send days, hours or both, such as ${example}.`);
  }
  const days = list(window, 'days', dayNumber, `a list of ${dayNames.join(', ')}`, scope);
  const hours = list(window, 'hours', hourNumber, 'a list of whole hours from 0 to 23', scope);
  const invert = trueOrFalse.parse(window.invert ?? false, 'window[invert]', scope);
  return days === null || hours === null || invert === null ? null : { days, hours, invert };
}

/** Empty if it was not sent: all days or hours. */
function list(
  window: Json,
  name: 'days' | 'hours',
  numberOf: (item: unknown) => number | undefined,
  allowed: string,
  { problems }: Parsing,
): readonly number[] | null {
  const items = window[name];
  if (items === undefined) return [];
  const path = `window[${name}]`;
  if (!Array.isArray(items) || items.length === 0) {
    return problems.add(path, `Send ${allowed}, with at least one item.`);
  }
  const numbers = items.map(
    (item: unknown, i) =>
      numberOf(item) ?? problems.add(`${path}[${i}]`, `Invalid. Send ${allowed}.`),
  );
  const valid = numbers.filter((number) => number !== null);
  if (valid.length < numbers.length) return null;
  return [...new Set(valid)].sort((a, b) => a - b);
}

function dayNumber(item: unknown): number | undefined {
  const index = typeof item === 'string' ? dayNames.indexOf(item.toLowerCase()) : -1;
  return index < 0 ? undefined : index + 1;
}

function hourNumber(item: unknown): number | undefined {
  return typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 23
    ? item
    : undefined;
}
