import type { MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { all, column, isPositiveUpTo, mbps, succeeded, valueOfSuccess } from '../metric-terms.ts';

const httpget: MetricDefinition = {
  ...valueOfSuccess,
  test: 'httpget',
  everyHours: 2,
  ownFields: ['threads', 'ip_version'],
  isPlausible: isPositiveUpTo('bytes_sec', 12_500_000_000),
  value: mbps('bytes_sec'),
};
const httppost: MetricDefinition = { ...httpget, test: 'httppost' };

const retransmissionsOf = (speed: MetricDefinition): MetricDefinition => ({
  ...speed,
  // Devices that do not count retransmissions send null.
  exists: all(succeeded, (c) => c.tcp_retransmissions !== null),
  isPlausible: all(speed.isPlausible, (c) => Number(c.tcp_retransmissions) <= 1_000_000),
  value: column('tcp_retransmissions'),
});

export const speedMetrics: MetricDefinitions = {
  httpget,
  httpgetmt: httpget,
  httpget_retrans: retransmissionsOf(httpget),
  httppost,
  httppostmt: httppost,
  httppost_retrans: retransmissionsOf(httppost),
};
