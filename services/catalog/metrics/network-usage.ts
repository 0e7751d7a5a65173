import { metric, type Metric } from '../metric.ts';

/** What the household itself used: traffic on the line less that of our own tests. */
export const networkUsageMetrics: readonly Metric[] = [
  metric({
    key: 'networkUsageDown',
    unit: 'MB',
    description: 'Received by the household in an hour, without our tests',
    test: 'network_usage',
    value: '(wan_rx_bytes - sk_rx_bytes) / 1e6',
    existsWhen: '1',
    // The FCC's rule; counters that wrap show as negative numbers.
    prefilter:
      'wan_rx_bytes >= 0 AND sk_rx_bytes >= 0 AND wan_rx_bytes >= sk_rx_bytes AND wan_rx_bytes <= 1e11',
    everyHours: 1,
    ownFields: [],
  }),
  metric({
    key: 'networkUsageUp',
    unit: 'MB',
    description: 'Sent by the household in an hour, without our tests',
    test: 'network_usage',
    value: '(wan_tx_bytes - sk_tx_bytes) / 1e6',
    existsWhen: '1',
    prefilter:
      'wan_tx_bytes >= 0 AND sk_tx_bytes >= 0 AND wan_tx_bytes >= sk_tx_bytes AND wan_tx_bytes <= 1e11',
    everyHours: 1,
    ownFields: [],
  }),
];
