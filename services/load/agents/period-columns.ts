import moment from 'moment-timezone';
import { hasColumn, type TestKey } from '../../catalog/test-tables.ts';
import { isoTime } from '../../results/rows/row-reader.ts';
import type { Mapping } from '../mapping/compile-mapping.ts';
import type { MappingRequest } from '../mapping/complete-mapping.ts';
import type { MappingFile } from '../mapping/mapping-file.ts';
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

/**
 * dtime is the beginning of the period, at the agent's local midnight if the mapping knows its time zone:
 * at 00:00 UTC it is still the day before in America, and a query for May would miss the result.
 */
export function periodColumns(
  period: Period,
  mapping: MappingRequest,
  test: TestKey,
): PeriodColumns {
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
  const zones = moment.tz.names();
  return Object.fromEntries(
    zones.map((zone) => [zone, isoTime(periodStart(period, zone).getTime() / 1000)]),
  );
}

/** The midnight at which the first day begins in a time zone; UTC if the zone is unknown. */
export function periodStart({ firstDay }: Period, timezone: string | null): Date {
  return moment.tz(`${firstDay} 00:00`, timezone ?? 'UTC').toDate();
}
