import { metric, type Metric } from '../metric.ts';

/** The household's own traffic: traffic on the line minus that of our tests. */
export const networkUsageMetrics: readonly Metric[] = [
  metric({
    key: 'networkUsageDown',
    name: 'Data received by the household',
    keywords: ['traffic', 'data usage', 'consumption', 'download'],
    unit: 'MB',
    better: null,
    description: 'Data received by the household in an hour, without our tests',
    test: 'network_usage',
    value: '(wan_rx_bytes - sk_rx_bytes) / 1e6',
    existsWhen: '1',
    prefilterRule:
      'drops negative traffic, traffic less than that of our tests, and more than 100 GB in an hour',
    // The FCC's rule; counter overflows appear as negative numbers.
    prefilter:
      'wan_rx_bytes >= 0 AND sk_rx_bytes >= 0 AND wan_rx_bytes >= sk_rx_bytes AND wan_rx_bytes <= 1e11',
    everyHours: 1,
    ownFields: [],
  }),
  metric({
    key: 'networkUsageUp',
    name: 'Data sent by the household',
    keywords: ['traffic', 'data usage', 'consumption', 'upload'],
    unit: 'MB',
    better: null,
    description: 'Data sent by the household in an hour, without our tests',
    test: 'network_usage',
    value: '(wan_tx_bytes - sk_tx_bytes) / 1e6',
    existsWhen: '1',
    prefilterRule:
      'drops negative traffic, traffic less than that of our tests, and more than 100 GB in an hour',
    prefilter:
      'wan_tx_bytes >= 0 AND sk_tx_bytes >= 0 AND wan_tx_bytes >= sk_tx_bytes AND wan_tx_bytes <= 1e11',
    everyHours: 1,
    ownFields: [],
  }),
];
