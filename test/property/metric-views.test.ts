import { expect } from 'chai';
import fc from 'fast-check';
import { findMetric } from '../../services/catalog/metrics.ts';
import { quote } from '../../services/shared/sql/quote.ts';
import type { Series } from '../reference/result.ts';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest, RequestFilter } from '../reference/metric-request.ts';
import { localStack } from '../support/local-stack.ts';
import { propertyPanel, propertyRuns, propertySeed, type StoredPanel } from './property-panel.ts';
import { requestArbitrary, unmaskedMetrics } from './request-arbitrary.ts';

/** Number of generated requests. Each queries the API and ClickHouse. */
const runs = Math.min(propertyRuns, 2000);

describe('plain SQL over the metric views', function () {
  this.timeout(300_000 + runs * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it(`returns the same numbers as the API for ${runs} requests`, async () => {
    const requests = fc
      .sample(requestArbitrary(stored.panel, unmaskedMetrics), {
        numRuns: runs,
        seed: propertySeed,
      })
      .filter(isPlainAggregate);
    expect(requests.length).to.be.greaterThan(runs / 20);
    for (const request of requests) {
      const points = (await stored.post(request)).flatMap((series) => pointsOf(series, request));
      // The API distinguishes the custom values 7 and "7"; in the views both are text.
      if (new Set(points.map(({ key }) => key)).size < points.length) continue;
      const difference = firstDifference(
        sorted(points),
        sorted(await rowsOf(viewQuery(request, stored.organisationId))),
      );
      const context = `request: ${JSON.stringify(request)}\nrepeat with PROPERTY_SEED=${propertySeed}`;
      expect(difference, context).to.equal(undefined);
    }
  });
});

// A plain SELECT does not cover weights and times relative to now.
function isPlainAggregate({ chartType, normalised, agent_agg, time }: MetricRequest): boolean {
  const isClock = [time.from, time.to].every((bound) => /^\d/.test(bound));
  return chartType === 'aggregate' && !normalised && agent_agg !== true && isClock;
}

/** The common form of points and view rows. Custom values are text in the views. */
interface ViewRow extends Record<string, unknown> {
  readonly key: string;
}

function pointsOf({ metricData }: Series, { splits = [] }: MetricRequest): ViewRow[] {
  return metricData.map((point) => {
    const { metricValue, sampleCount, agentCount, unitCount, min, max } = point;
    const bucket = point.dtime ?? point.aggregatedNumber ?? null;
    const key = JSON.stringify([...splits.map((name) => point[name] ?? null), bucket].map(asText));
    return { key, metricValue, sampleCount, agentCount, unitCount, min, max };
  });
}

async function rowsOf(query: string): Promise<ViewRow[]> {
  const { clickhouse } = await localStack();
  const result = await clickhouse.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const rows = await result.json<Record<string, unknown> & { keys: unknown[] }>();
  return rows.map(({ keys, ...row }) => ({ key: JSON.stringify(keys), ...row }));
}

function sorted(rows: readonly ViewRow[]): ViewRow[] {
  return [...rows].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function asText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The SQL that an analyst would write. */
function viewQuery(request: MetricRequest, organisationId: number): string {
  const { metric, splits = [], filters = [], prefilter, time } = request;
  const keys = [...splits.map(fieldOf), bucketOf(request)];
  const isRate = findMetric(metric)?.measure.kind === 'ratio';
  return `SELECT [${keys.map((key) => `toString(${key})`).join(', ')}]::Array(Nullable(String)) AS keys,
  ${isRate ? 'avgWeighted(value, weight)' : 'avg(value)'} AS metricValue,
  count() AS sampleCount, uniqExact(agent_key) AS agentCount, uniqExact(unit_id) AS unitCount,
  min(value) AS min, max(value) AS max
FROM metric_${findMetric(metric)!.key}
WHERE organisation_id = ${organisationId} AND NOT excluded
  AND local_time BETWEEN ${quote(withSeconds(time.from, '00:00:00'))}
    AND ${quote(withSeconds(time.to, '23:59:59'))}
  ${prefilter ? 'AND passes_prefilter' : ''}
  ${filters.map((filter) => `AND ${conditionOf(filter)}`).join('\n  ')}
GROUP BY keys`;
}

function fieldOf(name: string): string {
  if (name === 'agent') return "nullIf(agent_id, '')";
  if (name === 'unit') return 'unit_id';
  const key = quote(name.replace(/^custom\./, ''));
  const isCustom = name.startsWith('custom.') || !standardNames.has(name);
  return isCustom ? `if(mapContains(custom, ${key}), custom[${key}], NULL)` : name;
}

const standardNames = new Set(
  `target_set package country target isp base model geo_country manufacturer connection_type
   cellular_technology carrier_name operating_system_version threads ip_version nameserver lookup_host
   record_type packet_size stream_rate resolution protocol operating_system`.split(/\s+/),
);

function conditionOf({ id, filterType, filterValues }: RequestFilter): string {
  const values = filterValues.map((value) => quote(value)).join(', ');
  const isListed = `ifNull(toString(${fieldOf(id)}) IN (${values}), 0)`;
  return ['include', 'inclusive', '1', 1].includes(filterType) ? isListed : `NOT ${isListed}`;
}

function bucketOf({ aggregation }: MetricRequest): string {
  const hours = { hourly: 1, two_hourly: 2, four_hourly: 4, six_hourly: 6 };
  switch (aggregation) {
    case 'hourly':
    case 'two_hourly':
    case 'four_hourly':
    case 'six_hourly':
      return `formatDateTime(toStartOfInterval(local_time, INTERVAL ${hours[aggregation]} HOUR), '%Y-%m-%dT%H:%i:%S')`;
    case 'daily':
      return 'local_date';
    case 'weekly':
      return 'toMonday(local_date)';
    case 'monthly':
      return 'toStartOfMonth(local_date)';
    case 'quarterly':
      return 'toStartOfQuarter(local_date)';
    case 'yearly':
      return 'toStartOfYear(local_date)';
    case 'hour_of_day':
      return 'local_hour';
    case 'day_of_week':
      return 'toDayOfWeek(local_date)';
    case 'day_of_month':
      return 'toDayOfMonth(local_date)';
    case 'hour_of_week':
      return 'toUInt8((toDayOfWeek(local_date) - 1) * 24 + local_hour)';
    default:
      return 'NULL';
  }
}

/** `timeOfDay`: the time of a bound that is a day. */
function withSeconds(clock: string, timeOfDay: string): string {
  if (clock.length === 10) return `${clock} ${timeOfDay}`;
  return clock.length === 16 ? `${clock}:00` : clock;
}
