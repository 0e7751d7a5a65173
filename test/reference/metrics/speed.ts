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

const sustainedOf = (speed: MetricDefinition): MetricDefinition => ({
  ...speed,
  // Devices that do not report intervals send 0.
  exists: all(succeeded, (c) => Number(c.bytes_sec_interval) !== 0),
  isPlausible: isPositiveUpTo('bytes_sec_interval', 12_500_000_000),
  value: mbps('bytes_sec_interval'),
});

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
  httpget_sustained: sustainedOf(httpget),
  httpget_retrans: retransmissionsOf(httpget),
  httppost,
  httppostmt: httppost,
  httppost_sustained: sustainedOf(httppost),
  httppost_retrans: retransmissionsOf(httppost),
};
