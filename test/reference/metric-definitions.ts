import type { TestName, Value } from './panel.ts';

type Columns = Readonly<Record<string, Value>>;

/** A metric of the catalogue, written out by hand a second time. */
export interface MetricDefinition {
  readonly test: TestName;
  readonly everyHours: number;
  readonly isRatio: boolean;
  readonly ownFields: readonly string[];
  readonly exists: (columns: Columns) => boolean;
  readonly isPlausible: (columns: Columns) => boolean;
  /** Of a ratio metric: percent of the row alone. */
  readonly value: (columns: Columns) => number;
  /** How much a row counts beside others: 1, or what a ratio divides by. */
  readonly size: (columns: Columns) => number;
}

const n = (columns: Columns, name: string): number => Number(columns[name]);
const one = () => 1;
const succeeded = (c: Columns) => n(c, 'successes') > 0;
const attempts = (c: Columns) => n(c, 'successes') + n(c, 'failures');
const failedPercent = (c: Columns) => (100 * n(c, 'failures')) / attempts(c);
const mbps = (c: Columns) => (n(c, 'bytes_sec') * 8) / 1e6;
const hasSpeedUpTo = (limit: number) => (c: Columns) =>
  n(c, 'bytes_sec') > 0 && n(c, 'bytes_sec') <= limit;

const httpget: MetricDefinition = {
  test: 'httpget',
  everyHours: 2,
  isRatio: false,
  ownFields: ['threads', 'ip_version'],
  exists: succeeded,
  isPlausible: hasSpeedUpTo(12_500_000_000),
  value: mbps,
  size: one,
};

const dnsFields = ['nameserver', 'lookup_host', 'record_type', 'ip_version'];
const isIdle = (c: Columns) => c.line_load === 'idle';

export const metricDefinitions: Readonly<Record<string, MetricDefinition>> = {
  httpget,
  httpgetmt: httpget,
  httpget_retrans: {
    ...httpget,
    exists: (c) => succeeded(c) && c.tcp_retransmissions !== null,
    isPlausible: (c) => httpget.isPlausible(c) && n(c, 'tcp_retransmissions') <= 1_000_000,
    value: (c) => n(c, 'tcp_retransmissions'),
  },
  dnsResponse: {
    test: 'dns',
    everyHours: 1,
    isRatio: false,
    ownFields: dnsFields,
    exists: succeeded,
    isPlausible: (c) => n(c, 'rtt') > 0 && n(c, 'rtt') <= 10_000_000,
    value: (c) => n(c, 'rtt') / 1000,
    size: one,
  },
  dnsFail: {
    test: 'dns',
    everyHours: 1,
    isRatio: true,
    ownFields: dnsFields,
    exists: (c) => attempts(c) > 0,
    isPlausible: (c) => attempts(c) <= 1000,
    value: failedPercent,
    size: attempts,
  },
  udpLatency: {
    test: 'latency',
    everyHours: 1,
    isRatio: false,
    ownFields: ['ip_version'],
    exists: (c) => succeeded(c) && isIdle(c),
    isPlausible: (c) =>
      n(c, 'successes') >= 50 &&
      n(c, 'failures') * 10 <= attempts(c) &&
      n(c, 'rtt_min') >= 50 &&
      n(c, 'rtt_max') - n(c, 'rtt_min') <= 300_000,
    value: (c) => n(c, 'rtt_avg') / 1000,
    size: one,
  },
  udpPacketLoss: {
    test: 'latency',
    everyHours: 1,
    isRatio: true,
    ownFields: ['ip_version'],
    exists: (c) => isIdle(c) && attempts(c) > 0,
    isPlausible: (c) => n(c, 'successes') >= 50 && n(c, 'failures') <= n(c, 'successes'),
    value: failedPercent,
    size: attempts,
  },
  jitterDown: {
    test: 'jitter',
    everyHours: 1,
    isRatio: false,
    ownFields: ['ip_version', 'packet_size', 'stream_rate'],
    exists: (c) => succeeded(c) && n(c, 'packets_down_recv') > 0,
    isPlausible: (c) =>
      n(c, 'packets_down_recv') >= 50 &&
      n(c, 'packets_down_recv') * 2 >= n(c, 'packets_down_sent') &&
      n(c, 'jitter_down') <= 300_000,
    value: (c) => n(c, 'jitter_down') / 1000,
    size: one,
  },
  networkUsageDown: {
    test: 'network_usage',
    everyHours: 1,
    isRatio: false,
    ownFields: [],
    exists: () => true,
    isPlausible: (c) =>
      n(c, 'wan_rx_bytes') >= 0 &&
      n(c, 'sk_rx_bytes') >= 0 &&
      n(c, 'wan_rx_bytes') >= n(c, 'sk_rx_bytes') &&
      n(c, 'wan_rx_bytes') <= 1e11,
    value: (c) => (n(c, 'wan_rx_bytes') - n(c, 'sk_rx_bytes')) / 1e6,
    size: one,
  },
  mobileDownload: {
    test: 'mobile_download',
    everyHours: 1,
    isRatio: false,
    ownFields: ['ip_version', 'operating_system', 'threads'],
    exists: succeeded,
    isPlausible: hasSpeedUpTo(2_500_000_000),
    value: mbps,
    size: one,
  },
};
