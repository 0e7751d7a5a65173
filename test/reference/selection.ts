import { coverageOf } from './coverage.ts';
import { distinctResults } from './distinct-results.ts';
import { hasExclusions, isExcluded } from './exclusions.ts';
import { fieldValue, isOfMetadata } from './field-value.ts';
import { localTimeMs } from './local-time.ts';
import { metadataAt } from './metadata-at.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { metricDefinitions } from './metric-definitions.ts';
import type { MetricRequest, RequestFilter } from './metric-request.ts';
import type { Panel, Row } from './panel.ts';
import { isReport, type Report, reportOf } from './report.ts';
import type { Result } from './result.ts';
import { isWithin } from './time-range.ts';
import { isInWindow } from './window.ts';

/** What the points of a response are made of. */
interface Selection {
  readonly metric: MetricDefinition;
  /** In the range and the window, and of what passes the filters. Those of a report may be without a value. */
  readonly rows: readonly Result[];
  readonly report: Report | undefined;
}

export function selectionOf(panel: Panel, request: MetricRequest, now: Date): Selection {
  const metric = metricDefinitions[request.metric]!;
  const { filters = [] } = request;
  const isBlank = ({ columns }: Row) => !metric.exists(columns);
  const inRange = distinctResults(metric.test, panel.rows[metric.test])
    .filter(({ columns }) => metric.concerns?.(columns) ?? true)
    .filter((row) => isBlank(row) || !request.prefilter || metric.isPlausible(row.columns))
    .filter((row) => filters.every((filter) => isOfMetadata(row, filter.id) || passes(row, filter)))
    .map((row) => ({ row, localMs: localMsOf(row) }))
    .filter(({ row, localMs }) =>
      (request.times ?? [request.time]).some((range) =>
        isWithin(range, { utcMs: row.dtimeUtcMs, localMs }, now),
      ),
    );
  const found = inRange.filter(({ row }) => !isBlank(row));
  // Stays and bounds of trims are of all results of a household, whatever its metadata.
  const rows = (isReport(request) ? inRange : found)
    .filter(({ row }) => filters.every((filter) => passes(row, filter)))
    .filter(({ localMs }) => isInWindow(request.window, localMs))
    // A report counts them.
    .filter(({ row }) => isReport(request) || !isExcluded(row, metric));
  const coverage =
    request.coverage === undefined ? undefined : coverageOf(panel, metric, request, passes, now);
  const report = isReport(request)
    ? reportOf(found, metric, { ...request, countsExcluded: hasExclusions(panel) }, coverage)
    : undefined;
  return { metric, rows, report };
}

function passes(row: Row, { id, filterType, filterValues }: RequestFilter): boolean {
  const value = fieldValue(row, id);
  const isListed = value !== null && filterValues.includes(String(value));
  return ['include', 'inclusive', '1', 1].includes(filterType) ? isListed : !isListed;
}

function localMsOf({ agent, dtimeUtcMs }: Row): number {
  return localTimeMs(dtimeUtcMs, metadataAt(agent, dtimeUtcMs)?.timezone ?? null);
}
