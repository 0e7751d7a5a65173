import moment from 'moment-timezone';
import { UsageError } from '../../command.ts';

/** The period that the rows of a file describe, in the local time of each agent. */
export interface Period {
  /** `2022-05-01` */
  readonly firstDay: string;
  /** Inclusive. */
  readonly lastDay: string;
}

/** Parses `2022-05-01/2022-05-31`. Throws a UsageError. */
export function parsePeriod(text: string): Period {
  const [, firstDay = '', lastDay = ''] = /^(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  if (!isDay(firstDay) || !isDay(lastDay)) {
    throw new UsageError(
      `--period must be the first and the last day, such as 2022-05-01/2022-05-31, not "${text}"`,
    );
  }
  if (lastDay < firstDay) throw new UsageError(`--period ends before it begins: ${text}`);
  return { firstDay, lastDay };
}

/** The midnight at which the first day begins in a time zone; UTC if the zone is unknown. */
export function periodStart({ firstDay }: Period, timezone: string | null): Date {
  return moment.tz(`${firstDay} 00:00`, timezone ?? 'UTC').toDate();
}

function isDay(text: string): boolean {
  // ClickHouse stores dates from 1970 to 2105, in any time zone.
  return (
    text > '1970-01-01' && text < '2105-12-31' && moment.utc(text, 'YYYY-MM-DD', true).isValid()
  );
}
