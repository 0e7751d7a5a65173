import moment from 'moment-timezone';
import type { TestColumn } from '../../../results/columns/test-columns.ts';
import type { Mapping } from '../mapping/compile-mapping.ts';
import type { MappingRequest } from '../mapping/complete-mapping.ts';
import type { MappingFile } from '../mapping/mapping-file.ts';
import { agentsSection } from './agents-section.ts';
import { type Period, periodStart } from './period.ts';

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
  test: readonly TestColumn[],
): PeriodColumns {
  const { timezone } = agentsSection(mapping) ?? {};
  const utc = `'${timeText(periodStart(period, null))}'`;
  const dtime =
    timezone === undefined ? utc : `coalesce(lookup((${timezone}), ${table}, ''), ${utc})`;
  const hasEnd = test.some(({ name }) => name === 'period_end');
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
  return Object.fromEntries(zones.map((zone) => [zone, timeText(periodStart(period, zone))]));
}

/** `2022-04-30 14:00:00` */
function timeText(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
