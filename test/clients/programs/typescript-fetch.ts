import { Configuration as MetadataConfiguration, MetadataApi } from './metadata';
import { Configuration, DataApi, ExportsApi, ListingsApi } from './query';
import type { MetricPoint, MetricQuery } from './query';

// Six calls with the clients of openapi-generator. Prints their results as JSON.

const env = (name: string) => process.env[name] ?? '';
const query = new Configuration({ basePath: env('QUERY_URL'), apiKey: env('DATA_TOKEN') });
const metadata = new MetadataConfiguration({
  basePath: env('METADATA_URL'),
  accessToken: env('METADATA_TOKEN'),
});
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

async function rows(metricQuery: MetricQuery, row: (point: MetricPoint) => unknown[]) {
  const { data } = await new DataApi(query).postMetricData({ metricQuery });
  return data.flatMap(({ metricData }) => metricData.map(row));
}

async function main() {
  const agent = await new MetadataApi(metadata).getMetadata({ field: 'agent', value: 'a' });
  const exported = await new ExportsApi(query).exportMetricDataCsv({ metricQuery: daily });
  const result = {
    daily: await rows(daily, (p) => [p['isp'], p['floor'], p.metricValue, p.partial]),
    raw: await rows(raw, (p) => [p.agent, p['tier'], p.metricValue]),
    report: await rows(report, (p) => [p.metricValue, p.shares?.['80']]),
    values: (await new ListingsApi(query).getFilterValues({ id: 'isp' })).data,
    exported: exported.data.rows,
    metadata: [agent.data.timezone, agent.data.custom['tier'], agent.data.custom['floor']],
  };
  process.stdout.write(JSON.stringify(result));
}

void main();
