import fc from 'fast-check';
import { aggregations } from '../reference/bucket.ts';
import { fieldValue } from '../reference/field-value.ts';
import { localTimeMs, clockText } from '../reference/local-time.ts';
import { metadataAt } from '../reference/metadata-at.ts';
import type { MetricDefinition } from '../reference/metric-definition.ts';
import { metricDefinitions } from '../reference/metric-definitions.ts';
import type { MetricRequest, RequestFilter } from '../reference/metric-request.ts';
import type { Panel, Row } from '../reference/panel.ts';
import { customValues } from './random-history.ts';
import { panelFromUtcMs, panelToUtcMs } from './random-times.ts';

const dayMs = 86_400_000;

/** Others have tests of their own: property/masked-values and property/published-cells. */
export const unmaskedMetrics: readonly string[] = Object.keys(metricDefinitions).filter(
  (metric) => metricDefinitions[metric]!.masked === undefined && !metricDefinitions[metric]!.isCell,
);

const allMetrics: readonly string[] = [
  ...unmaskedMetrics,
  'panelDownload',
  'panelLatencyBusy',
  'panelPacketLoss',
];

/** Valid requests for a panel: its fields and values, and times with results. */
export function requestArbitrary(panel: Panel, metrics = allMetrics): fc.Arbitrary<MetricRequest> {
  return fc.constantFrom(...metrics).chain((metric) => {
    const definition = metricDefinitions[metric]!;
    const rows = panel.rows[definition.test];
    const fields = fieldsOf(definition, rows);
    const chartType = definition.isRatio
      ? fc.constant('aggregate' as const)
      : fc.oneof(
          { weight: 4, arbitrary: fc.constant('aggregate' as const) },
          { weight: 1, arbitrary: fc.constant('raw' as const) },
        );
    return fc
      .record(
        {
          metric: fc.constant(metric),
          chartType,
          aggregation: fc.constantFrom(...aggregations),
          normalised: fc.boolean(),
          prefilter: fc.boolean(),
          agent_agg: fc.boolean(),
          splits: fc.uniqueArray(fc.constantFrom(...fields), {
            maxLength: 3,
            // Splits must not repeat a field.
            selector: plainName,
          }),
          filters: filtersArbitrary(panel, metric),
          time: timeArbitrary(panel, metric),
        },
        {
          requiredKeys: ['metric', 'chartType', 'aggregation', 'normalised', 'prefilter', 'time'],
        },
      )
      .map((request) => request as MetricRequest);
  });
}

/** `tier` and `custom.tier` are the same field. */
function plainName(field: string): string {
  return field === 'custom.tier' ? 'tier' : field;
}

const unitFields = ['package', 'country', 'agent', 'unit', 'isp', 'base'];
const serverFields = ['target', 'target_set'];
const phoneFields = [
  'model',
  'geo_country',
  'manufacturer',
  'connection_type',
  'cellular_technology',
  'carrier_name',
  'operating_system_version',
];
const customFields = Object.keys(customValues).map((key) => (key === 'isp' ? 'custom.isp' : key));

function fieldsOf(
  { test, ownFields }: MetricDefinition,
  rows: readonly Row[],
): [string, ...string[]] {
  return [
    'isp',
    ...unitFields.filter((field) => field !== 'isp'),
    ...(rows.some(({ columns }) => 'target' in columns) ? serverFields : []),
    ...(test.startsWith('mobile_') ? phoneFields : []),
    ...ownFields,
    ...customFields,
    'custom.tier',
  ];
}

const wholeNumberFields = [
  'unit',
  'threads',
  'ip_version',
  'packet_size',
  'stream_rate',
  'resolution',
];

/** By any fields, but not by those of `splits`. */
export function filtersArbitrary(
  panel: Panel,
  metric: string,
  splits: readonly string[] = [],
): fc.Arbitrary<readonly RequestFilter[]> {
  const definition = metricDefinitions[metric]!;
  const rows = panel.rows[definition.test];
  const split = splits.map(plainName);
  const fields = fieldsOf(definition, rows).filter((field) => !split.includes(plainName(field)));
  return fc.array(filterArbitrary(fields, rows), { maxLength: 3 });
}

/** Mostly values that occur, sometimes one that does not. */
function filterArbitrary(
  fields: readonly string[],
  rows: readonly Row[],
): fc.Arbitrary<RequestFilter> {
  return fc.constantFrom(...fields).chain((id) => {
    const seen = [...new Set(rows.map((row) => fieldValue(row, id)))].filter((v) => v !== null);
    const unseen = wholeNumberFields.includes(id) ? '12345' : 'no such value';
    return fc.record({
      id: fc.constant(id),
      filterType: fc.constantFrom('include', 'exclude', 'inclusive', 'exclusive', '1', '0', 1, 0),
      filterValues: fc.array(fc.constantFrom(...seen.map(String), unseen), {
        minLength: 1,
        maxLength: 3,
      }),
    });
  });
}

/** Any range in the panel's time, often with a bound at or one second beside a result. */
export function timeArbitrary(panel: Panel, metric: string): fc.Arbitrary<MetricRequest['time']> {
  const rows = panel.rows[metricDefinitions[metric]!.test];
  const aroundUtcS = fc.integer({
    min: (panelFromUtcMs - dayMs) / 1000,
    max: (panelToUtcMs + dayMs) / 1000,
  });
  const anyClock = aroundUtcS.map((second) => clock(second * 1000));
  const resultClock = fc
    .tuple(fc.constantFrom(...rows), fc.constantFrom(-1000, 0, 0, 1000))
    .map(([row, beside]) => clock(localMs(row) + beside));
  const clocks = fc.oneof(anyClock, resultClock).chain((text) =>
    // `HH:MM` means `HH:MM:00`.
    fc.constantFrom(text, text, text.slice(0, 16)),
  );
  const wide = fc.constant({ from: '2026-09-27 00:00', to: '2026-11-06 23:59:59' });
  const between = fc.tuple(clocks, clocks).map(ordered);
  const days = fc.tuple(clocks, clocks).map((range) => {
    const { from, to } = ordered(range);
    return { from: from.slice(0, 10), to: to.slice(0, 10) };
  });
  const moments = fc
    .tuple(aroundUtcS, aroundUtcS)
    .map(([a, b]) => ({ from: daysAgo(Math.min(a, b)), to: daysAgo(Math.max(a, b)) }));
  const untilRecently = fc.record({
    from: fc.oneof(clocks, aroundUtcS.map(daysAgo)),
    to: fc.constantFrom('now', 'last monday'),
  });
  // Long after the panel's time such a range exceeds the maximum of a request.
  const isRecent = Date.now() > panelToUtcMs + 8 * dayMs && Date.now() < panelToUtcMs + 300 * dayMs;
  return fc.oneof(
    { weight: 2, arbitrary: wide },
    { weight: 5, arbitrary: between },
    { weight: 1, arbitrary: days },
    { weight: 1, arbitrary: moments },
    { weight: 1, arbitrary: isRecent ? untilRecently : moments },
  );
}

function localMs(row: Row): number {
  const { agent, dtimeUtcMs } = row;
  return localTimeMs(dtimeUtcMs, metadataAt(agent, dtimeUtcMs)?.timezone ?? null);
}

function clock(ms: number): string {
  return clockText(ms).replace('T', ' ');
}

function ordered([a, b]: readonly [string, string]): MetricRequest['time'] {
  return a <= b ? { from: a, to: b } : { from: b, to: a };
}

function daysAgo(utcS: number): string {
  const days = Math.round((utcS * 1000 - Date.now()) / dayMs);
  return `${days < 0 ? '-' : '+'}${Math.abs(days)} days`;
}
