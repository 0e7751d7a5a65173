import { getMetadata } from './metadata';
import { client as metadata } from './metadata/client.gen';
import { exportMetricDataCsv, getFilterValues, postMetricData } from './query';
import type { MetricPoint, MetricQuery } from './query';
import { client as query } from './query/client.gen';

// Six calls with the clients of hey-api. Prints their results as JSON.

const env = (name: string) => process.env[name] ?? '';
query.setConfig({ baseUrl: env('QUERY_URL'), auth: env('DATA_TOKEN') });
metadata.setConfig({ baseUrl: env('METADATA_URL'), auth: env('METADATA_TOKEN') });
const shared = {
  metric: 'httpget',
  chartType: 'aggregate',
  normalised: false,
  prefilter: false,
  time: { from: env('FROM'), to: env('TO') },
} as const;
const daily: MetricQuery = { ...shared, aggregation: 'daily', splits: ['isp', 'floor'] };
const raw: MetricQuery = { ...shared, chartType: 'raw', splits: ['tier'] };
const report: MetricQuery = {
  ...shared,
  aggregation: 'total',
  household: { statistic: 'mean' },
  relativeTo: { field: 'custom.advertised' },
  shares: { thresholds: [80] },
};

async function rows(body: MetricQuery, row: (point: MetricPoint) => unknown[]) {
  const { data: response } = await postMetricData({ body, throwOnError: true });
  if (typeof response === 'string') throw new Error('The response is not JSON');
  return response.data.flatMap(({ metricData }) => metricData.map(row));
}

async function main() {
  const path = { field: 'agent', value: 'a' } as const;
  const { data: agent } = (await getMetadata({ path, throwOnError: true })).data;
  const values = await getFilterValues({ path: { id: 'isp' }, throwOnError: true });
  const exported = await exportMetricDataCsv({ body: daily, throwOnError: true });
  const result = {
    daily: await rows(daily, (p) => [p['isp'], p['floor'], p.metricValue, p.partial]),
    raw: await rows(raw, (p) => [p.agent, p['tier'], p.metricValue]),
    report: await rows(report, (p) => [p.metricValue, p.shares?.['80']]),
    values: values.data.data,
    exported: exported.data.data && 'rows' in exported.data.data ? exported.data.data.rows : null,
    metadata: [agent.timezone, agent.custom['tier'], agent.custom['floor']],
  };
  process.stdout.write(JSON.stringify(result));
}

void main();
