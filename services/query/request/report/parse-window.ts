import type { Problems } from '../../../shared/errors/problems.ts';
import { isObject, type Json, warnOfUnknownFields } from '../request-body.ts';
import type { LocalWindow } from './report.ts';

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const example = '{ "days": ["mon", "tue"], "hours": [19, 20, 21, 22] }';

export function parseWindow(window: unknown, problems: Problems): LocalWindow | null {
  if (window === undefined || window === null) return null;
  if (!isObject(window)) return problems.add('window', `Send an object, such as ${example}.`);
  warnOfUnknownFields(window, ['days', 'hours', 'invert'], 'window', problems.warnings);
  if (window.days === undefined && window.hours === undefined) {
    return problems.add('window', `Send days, hours or both, such as ${example}.`);
  }
  const days = list(window, 'days', dayNumber, `a list of ${dayNames.join(', ')}`, problems);
  const hours = list(window, 'hours', hourNumber, 'a list of whole hours from 0 to 23', problems);
  const invert = window.invert ?? false;
  if (typeof invert !== 'boolean') return problems.add('window[invert]', 'Send true or false.');
  return days === null || hours === null ? null : { days, hours, invert };
}

/** Empty if it was not sent: all days or hours. */
function list(
  window: Json,
  name: 'days' | 'hours',
  numberOf: (item: unknown) => number | undefined,
  allowed: string,
  problems: Problems,
): readonly number[] | null {
  const items = window[name];
  if (items === undefined) return [];
  const path = `window[${name}]`;
  if (!Array.isArray(items) || items.length === 0) {
    return problems.add(path, `Send ${allowed}, with at least one item.`);
  }
  const numbers = items.map((item: unknown, i) => {
    const number = numberOf(item);
    return number ?? problems.add(`${path}[${i}]`, `Invalid. Send ${allowed}.`);
  });
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
