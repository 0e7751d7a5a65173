import { metrics } from '../../catalog/metrics.ts';
import { profileTable, unitOf } from './profile-columns.ts';
import type { Table } from '../sources/read-tables.ts';

/** The units that a publisher leaves out of its report, all their results or those of some metrics. */
export interface ExclusionList {
  /** All units of the list. */
  readonly units: readonly number[];
  /** Whether it has columns of metrics. Otherwise all its units are excluded with all their results. */
  readonly isPerMetric: boolean;
  /** The keys of the metrics, by unit. */
  readonly metrics: ReadonlyMap<number, readonly string[]>;
  /** The number of marks in columns whose metrics are unknown, by title. They exclude nothing. */
  readonly unknownMarks: ReadonlyMap<string, number>;
}

const ofTest = (wanted: string, wantedUnit?: string) =>
  metrics
    .filter(({ test, unit }) => test === wanted && unit === (wantedUnit ?? unit))
    .map(({ key }) => key);

/** The metrics of a column by the word after `ISP_` in its title. docs/loading.md has the same table. */
export const metricsByPrefix: Readonly<Record<string, readonly string[]>> = {
  DL: ofTest('httpget'),
  UL: ofTest('httppost'),
  VS: ofTest('youtube'),
  WEB: ofTest('webget'),
  DNS: ofTest('dns'),
  LAT: ofTest('latency', 'ms'),
  PL: ofTest('latency', '%'),
  UDP: ofTest('latency'),
  PING: ofTest('ping'),
  JIT: ofTest('jitter'),
};

/** Reads a list of excluded units. In 2012 it has a column per metric, such as `ISP_DL_24H` and `ISP_VS_3.75`. */
export function exclusionList(table: Table): ExclusionList {
  const { titles, cells, rows } = profileTable(table);
  const columns = titles.flatMap((title, i) => {
    const prefix = /^isp[_ ]([a-z]+)/i.exec(title.trim())?.[1]?.toUpperCase();
    return prefix === undefined || prefix === 'NAME' ? [] : [{ title, i, prefix }];
  });
  const units = rows.flatMap((row) => unitOf(row) ?? []);
  const marked = new Map<number, readonly string[]>();
  const unknownMarks = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const unit = unitOf(row);
    if (unit === null) continue;
    const marks = columns.filter(({ i }) => isMarked(cells[at]?.[i] ?? ''));
    const keys = marks.flatMap(({ prefix }) => metricsByPrefix[prefix] ?? []);
    if (keys.length > 0) marked.set(unit, [...new Set(keys)]);
    for (const { title, prefix } of marks) {
      if (prefix in metricsByPrefix) continue;
      unknownMarks.set(title, (unknownMarks.get(title) ?? 0) + 1);
    }
  }
  return { units, isPerMetric: columns.length > 0, metrics: marked, unknownMarks };
}

function isMarked(cell: string): boolean {
  return !/^(0|no?|false|-|)$/i.test(cell.trim());
}
