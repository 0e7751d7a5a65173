import type { MetricQuery } from '../../../openapi/client/index.ts';
import { UsageError } from '../command.ts';

type Window = NonNullable<MetricQuery['window']>;
type Day = NonNullable<Window['days']>[number];

const weekdays: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => String(hour));

/** `mon-fri`, `sat,sun`; `fri-mon` goes over the end of the week. */
export function parseDays(text: string): Day[] {
  return members(text.toLowerCase(), weekdays, 'days', 'days such as mon-fri or sat,sun');
}

/** `19-22` is from 19:00 to 22:59; `22-1` goes over midnight. */
export function parseHours(text: string): number[] {
  // 07 is 7.
  const plain = text.replace(/\b0(?=\d)/g, '');
  return members(plain, hoursOfDay, 'hours', 'hours from 0 to 23, such as 19-22 or 7,8').map(
    Number,
  );
}

function members<T extends string>(
  text: string,
  all: readonly T[],
  option: string,
  wanted: string,
): T[] {
  const found = text.split(',').flatMap((part) => {
    const [first = '', last = first, ...more] = part.trim().split('-');
    const [start, end] = [all.indexOf(first as T), all.indexOf(last as T)];
    if (start < 0 || end < 0 || more.length > 0) {
      throw new UsageError(`--${option} must be ${wanted}, not "${text}"`);
    }
    return start <= end
      ? all.slice(start, end + 1)
      : [...all.slice(start), ...all.slice(0, end + 1)];
  });
  return [...new Set(found)];
}
