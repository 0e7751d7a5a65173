import { phoneTables } from './phone-tables.ts';
import { columnNames, type Schedule, type TestTable } from './test-table.ts';

const everyTwoHours: Schedule = {
  resultsPerHour: 0.5,
  source: 'SamKnows, scheduled tests: heavy tests every few hours; 2 as in `everyHours`',
};
const hourly: Schedule = {
  resultsPerHour: 1,
  source: 'SamKnows, scheduled tests: light tests every hour',
};
/** The result describes an hour. */
const byDefinition: Schedule = { resultsPerHour: 1, source: 'the description of the test' };

export const commonColumns = ['base', 'ddate', 'dtime', 'agent_id', 'unit_id'] as const;

export const testTables = {
  httpget: {
    key: 'httpget',
    name: 'Download speed',
    agents: 'units',
    description: 'Download speed over HTTP',
    columns: columnNames(`
      target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time
      warmup_bytes sequence threads tcp_retransmissions successes failures ip_version
      target_group
    `),
    rowKey: ['target', 'sequence', 'threads', 'ip_version'],
    schedule: everyTwoHours,
    // Before 2013 a test has a row for each 5 seconds, with cumulative bytes_total.
    lastRowBy: ['sequence'],
  },
  httppost: {
    key: 'httppost',
    name: 'Upload speed',
    agents: 'units',
    description: 'Upload speed over HTTP',
    columns: columnNames(`
      target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time
      warmup_bytes sequence threads tcp_retransmissions successes failures ip_version
      target_group
    `),
    rowKey: ['target', 'sequence', 'threads', 'ip_version'],
    schedule: everyTwoHours,
    // Before 2013 a test has a row for each 5 seconds, with cumulative bytes_total.
    lastRowBy: ['sequence'],
  },
  dns: {
    key: 'dns',
    name: 'DNS',
    agents: 'units',
    description: 'Name resolution; one row per name server and name looked up',
    columns: columnNames(
      `nameserver lookup_host record_type response_ip rtt successes failures ip_version`,
    ),
    rowKey: ['nameserver', 'lookup_host', 'record_type', 'ip_version'],
  },
  netflix: {
    key: 'netflix',
    name: 'Netflix',
    agents: 'units',
    description: 'Video delivery from Netflix: the highest bit rate the line sustains',
    columns: columnNames(`
      target target_group address ip_version bitrate resolution downthrpt bytes_total
      duration connect_time startup_delay buffer_underruns buffer_delay ttfb successes
      failures
    `),
    rowKey: ['target', 'ip_version'],
    schedule: everyTwoHours,
  },
  ping: {
    key: 'ping',
    name: 'Ping',
    agents: 'units',
    description: 'Round trips by ICMP',
    columns: columnNames(`
      target target_group address ip_version line_load rtt_avg rtt_min rtt_max rtt_std
      successes failures
    `),
    rowKey: ['target', 'line_load', 'ip_version'],
  },
  jitter: {
    key: 'jitter',
    name: 'Jitter',
    agents: 'units',
    description: 'Jitter and loss of a paced UDP stream, both ways',
    columns: columnNames(`
      target target_group address ip_version packet_size stream_rate duration
      packets_up_sent packets_down_sent packets_up_recv packets_down_recv jitter_up
      jitter_down latency successes failures
    `),
    rowKey: ['target', 'packet_size', 'stream_rate', 'ip_version'],
    schedule: hourly,
  },
  latency: {
    key: 'latency',
    name: 'Latency and packet loss',
    agents: 'units',
    description: 'Round trips and loss by UDP, sampled over an hour',
    columns: columnNames(`
      target target_group address ip_version line_load rtt_avg rtt_min rtt_max rtt_std
      successes failures
    `),
    rowKey: ['target', 'line_load', 'ip_version'],
    schedule: byDefinition,
  },
  webget: {
    key: 'webget',
    name: 'Web page',
    agents: 'units',
    description: 'Loading of a web page with its objects',
    columns: columnNames(`
      target target_group address ip_version fetch_time bytes_total bytes_sec objects
      threads requests connections reused_connections lookups request_total_time
      request_min_time request_avg_time request_max_time ttfb_total ttfb_min ttfb_avg
      ttfb_max lookup_total_time lookup_min_time lookup_avg_time lookup_max_time successes
      failures
    `),
    rowKey: ['target', 'threads', 'ip_version'],
  },
  youtube: {
    key: 'youtube',
    name: 'YouTube',
    agents: 'units',
    description: 'Video delivery from YouTube; also holds the public videostream data',
    columns: columnNames(`
      target target_group address ip_version video_id bitrate resolution downthrpt
      bytes_total duration connect_time startup_delay buffer_underruns buffer_delay
      buffer_size buffer_filltime downjitter latency jitter successes failures
    `),
    rowKey: ['target', 'video_id', 'ip_version'],
  },
  network_usage: {
    key: 'network_usage',
    name: 'Network usage',
    agents: 'units',
    description:
      'Traffic through the router in the hour before dtime; what the household used is wan minus sk',
    columns: columnNames(`wan_rx_bytes wan_tx_bytes sk_rx_bytes sk_tx_bytes`),
    rowKey: [],
    schedule: byDefinition,
  },
  traceroute: {
    key: 'traceroute',
    name: 'Traceroute',
    agents: 'units',
    description: 'Route to a server; one row per hop and address seen there',
    columns: columnNames(`
      target target_group address ip_version protocol hop hop_address hop_name sent
      received rtt_avg successes failures
    `),
    rowKey: ['target', 'protocol', 'ip_version', 'hop', 'hop_address'],
    // One row per hop and address seen there; the last row is the target.
    lastRowBy: ['hop', 'hop_address'],
  },
  udpcloss: {
    key: 'udpcloss',
    name: 'Disconnections',
    agents: 'units',
    description: 'Runs of consecutive UDP packets that were lost; one row per disconnection',
    columns: columnNames(`target target_group address ip_version duration packets`),
    rowKey: ['target', 'ip_version'],
  },
  panel: {
    key: 'panel',
    name: 'Published unit averages',
    agents: 'units',
    description:
      'Unit averages as a regulator publishes them: one result per unit and period, which begins at dtime and ends with the day period_end',
    columns: columnNames(`
      period_end
      download_mean download_min download_max
      busy_download_mean busy_download_min busy_download_max
      upload_mean upload_min upload_max
      busy_upload_mean busy_upload_min busy_upload_max
      latency_mean latency_min latency_max
      busy_latency_mean busy_latency_min busy_latency_max
      daily_outages
    `),
    rowKey: [],
  },
  ...phoneTables,
} as const satisfies Record<string, TestTable>;

export type TestKey = keyof typeof testTables;

export const testKeys = Object.keys(testTables) as readonly TestKey[];

export function testTable(key: TestKey): TestTable {
  return testTables[key];
}

export function isTestKey(key: string): key is TestKey {
  return Object.hasOwn(testTables, key);
}

/** Whether a test's rows have a column, common ones included. */
export function hasColumn(key: TestKey, column: string): boolean {
  return ([...commonColumns, ...testTables[key].columns] as readonly string[]).includes(column);
}
