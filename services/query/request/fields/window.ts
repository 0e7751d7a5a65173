import { UsageError } from '../../../shared/errors/usage-error.ts';
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
      days: {
        value: 'mon-fri',
        sets: 'days',
        about: 'only these local weekdays',
        read: ([text = '']) => readDays(text),
      },
      hours: {
        value: '19-22',
        sets: 'hours',
        about: 'only these local hours, here from 19:00 to 22:59',
        read: ([text = '']) => readHours(text),
      },
      outside: { sets: 'invert', about: 'only results outside of --days and --hours' },
    },
  },
} satisfies RequestFields;

/** `mon-fri`, `sat,sun`; `fri-mon` goes over the end of the week. */
export function readDays(text: string, option = 'days'): readonly string[] {
  return members(text.toLowerCase(), dayNames, option, 'days such as mon-fri or sat,sun');
}

/** `19-22` is from 19:00 to 22:59; `22-1` goes over midnight. */
export function readHours(text: string, option = 'hours'): readonly number[] {
  // 07 is 7.
  const plain = text.replace(/\b0(?=\d)/g, '');
  const wanted = 'hours from 0 to 23, such as 19-22 or 7,8';
  return members(plain, hoursOfDay, option, wanted).map(Number);
}

const hoursOfDay = Array.from({ length: 24 }, (_, hour) => String(hour));

function members(
  text: string,
  all: readonly string[],
  option: string,
  wanted: string,
): readonly string[] {
  const found = text.split(',').flatMap((part) => {
    const [first = '', last = first, ...more] = part.trim().split('-');
    const [start, end] = [all.indexOf(first), all.indexOf(last)];
    if (start < 0 || end < 0 || more.length > 0) {
      throw new UsageError(`--${option} must be ${wanted}, not "${text}"`);
    }
    return start <= end
      ? all.slice(start, end + 1)
      : [...all.slice(start), ...all.slice(0, end + 1)];
  });
  return [...new Set(found)];
}

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
