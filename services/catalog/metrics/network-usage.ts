import { metric, type Metric } from '../metric.ts';

/** The household's own traffic: traffic on the line minus that of our tests. */
export const networkUsageMetrics: readonly Metric[] = [
  usage('networkUsageDown', 'received', 'download', 'rx_bytes'),
  usage('networkUsageUp', 'sent', 'upload', 'tx_bytes'),
];

function usage(key: string, direction: string, keyword: string, column: string): Metric {
  const [line, ours] = [`wan_${column}`, `sk_${column}`];
  return metric({
    key,
    name: `Data ${direction} by the household`,
    keywords: ['traffic', 'data usage', 'consumption', keyword],
    unit: 'MB',
    better: null,
    description: `Data ${direction} by the household in an hour, without our tests`,
    test: 'network_usage',
    value: `(${line} - ${ours}) / 1e6`,
    existsWhen: '1',
    prefilterRule:
      'drops negative traffic, traffic less than that of our tests, and more than 100 GB in an hour',
    // The FCC's rule; counter overflows appear as negative numbers.
    prefilter: `${line} >= 0 AND ${ours} >= 0 AND ${line} >= ${ours} AND ${line} <= 1e11`,
  });
}
