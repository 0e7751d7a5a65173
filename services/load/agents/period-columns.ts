import { hasColumn, type TestKey } from '../../catalog/test-tables.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import { isoTime } from '../../results/rows/row-reader.ts';
import type { Mapping } from '../mapping/compile-mapping.ts';
import type { MappingRequest } from '../mapping/complete-mapping.ts';
import type { MappingFile } from '../mapping/mapping-file.ts';
import { startOfLocalDay, timezoneNames } from '../../shared/timezones.ts';
import { agentsSection } from './agents-section.ts';

/** The period that the rows of a file describe, in the local time of each agent. */
export interface Period {
  /** `2022-05-01` */
  readonly firstDay: string;
  /** Inclusive. */
  readonly lastDay: string;
}

/** The columns that --period fills, as expressions, and the tables that they use. */
export interface PeriodColumns {
  readonly columns: Readonly<Record<string, string>>;
  readonly values: NonNullable<MappingFile['values']>;
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

function isDay(text: string): boolean {
  // ClickHouse stores dates from 1970 to 2105, in any time zone.
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text <= '1970-01-01' || text >= '2105-12-31') return false;
  // Date takes 2026-02-30 as 2 March.
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** The columns that --period fills. Throws a UsageError if a mapping of the test panel needs it. */
export function periodOf(
  period: Period | undefined,
  mapping: MappingRequest,
  test: TestKey,
): PeriodColumns | undefined {
  const { file, columns } = mapping;
  if (period !== undefined) return periodColumns(period, mapping, test);
  const isStated = (name: string) => name in columns || name in (file?.columns ?? {});
  const needsPeriod = file !== undefined && hasColumn(test, 'period_end');
  if (needsPeriod && !(isStated('dtime') && isStated('period_end'))) {
    throw new UsageError(
      '--period is missing: the first and last day that the file describes, such as 2022-05-01/2022-05-31',
    );
  }
  return undefined;
}

/**
 * dtime is the beginning of the period, at the agent's local midnight if the mapping knows its time zone:
 * at 00:00 UTC it is still the day before in America, and a query for May would miss the result.
 */
function periodColumns(period: Period, mapping: MappingRequest, test: TestKey): PeriodColumns {
  const { timezone } = agentsSection(mapping) ?? {};
  const utc = `'${isoTime(periodStart(period, null).getTime() / 1000)}'`;
  const dtime =
    timezone === undefined ? utc : `coalesce(lookup((${timezone}), ${table}, ''), ${utc})`;
  const hasEnd = hasColumn(test, 'period_end');
  return {
    columns: { dtime, ...(hasEnd ? { period_end: `'${period.lastDay}'` } : {}) },
    values: timezone === undefined ? {} : { [table]: startByZone(period) },
  };
}

/** A mapping with the columns that --period fills. --map wins over them. */
export function withPeriod<T extends MappingRequest>(
  mapping: T,
  period: PeriodColumns | undefined,
): T {
  if (period === undefined) return mapping;
  const { file, columns } = mapping;
  return {
    ...mapping,
    file: file && { ...file, values: { ...file.values, ...period.values } },
    columns: { ...period.columns, ...columns },
  };
}

/** The mapping without them, to be saved for other periods. */
export function withoutPeriod(
  { columns, values = {} }: Mapping,
  period: PeriodColumns | undefined,
): Mapping {
  return {
    columns: Object.fromEntries(
      Object.entries(columns).filter(([name, text]) => period?.columns[name] !== text),
    ),
    values: Object.fromEntries(
      Object.entries(values).filter(([name]) => !(name in (period?.values ?? {}))),
    ),
  };
}

const table = 'netpanel_period_start';

function startByZone(period: Period): Readonly<Record<string, string>> {
  return Object.fromEntries(
    timezoneNames.map((zone) => [zone, isoTime(periodStart(period, zone).getTime() / 1000)]),
  );
}

/** The midnight at which the first day begins in a time zone; UTC if the zone is unknown. */
export function periodStart({ firstDay }: Period, timezone: string | null): Date {
  return startOfLocalDay(firstDay, timezone ?? 'UTC');
}
