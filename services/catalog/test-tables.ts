/**
 * A test and its table `test_<key>` in services/schema. `columns` are its columns in the order of the
 * table, after the common ones. `rowKey` are the columns that distinguish rows of an agent with the same
 * dtime.
 */
export interface TestTable {
  readonly key: string;
  /** For people: `Download speed`. */
  readonly name: string;
  readonly agents: 'units' | 'mobile';
  readonly description: string;
  readonly columns: readonly string[];
  readonly rowKey: readonly string[];
  /** If a test can have several rows: its result is the last row in the order of these columns. */
  readonly lastRowBy?: readonly string[];
  /**
   * How often an agent runs the test, if a run has one result. Absent: phones and web pages run tests on demand, and
   * a run of DNS, ping or traceroute has as many results as it has targets.
   */
  readonly schedule?: Schedule;
}

interface Schedule {
  readonly resultsPerHour: number;
  /** Where that is described. */
  readonly source: string;
}

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

/** Splits column names at white space. */
function names(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const phoneColumns = names(`
  manufacturer model operating_system operating_system_version app_version geo_country
  connection_type cellular_technology carrier_name is_roaming cell_id signal_strength
`);

export const testTables = {
  httpget: {
    key: 'httpget',
    name: 'Download speed',
    agents: 'units',
    description: 'Download speed over HTTP',
    columns: names(`
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
    columns: names(`
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
    columns: names(
      `nameserver lookup_host record_type response_ip rtt successes failures ip_version`,
    ),
    rowKey: ['nameserver', 'lookup_host', 'record_type', 'ip_version'],
  },
  netflix: {
    key: 'netflix',
    name: 'Netflix',
    agents: 'units',
    description: 'Video delivery from Netflix: the highest bit rate the line sustains',
    columns: names(`
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
    columns: names(`
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
    columns: names(`
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
    columns: names(`
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
    columns: names(`
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
    columns: names(`
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
    columns: names(`wan_rx_bytes wan_tx_bytes sk_rx_bytes sk_tx_bytes`),
    rowKey: [],
    schedule: byDefinition,
  },
  traceroute: {
    key: 'traceroute',
    name: 'Traceroute',
    agents: 'units',
    description: 'Route to a server; one row per hop and address seen there',
    columns: names(`
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
    columns: names(`target target_group address ip_version duration packets`),
    rowKey: ['target', 'ip_version'],
  },
  panel: {
    key: 'panel',
    name: 'Published unit averages',
    agents: 'units',
    description:
      'Unit averages as a regulator publishes them: one result per unit and period, which begins at dtime and ends with the day period_end',
    columns: names(`
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
  mobile_download: {
    key: 'mobile_download',
    name: 'Download speed, mobile',
    agents: 'mobile',
    description: 'Download speed of a phone',
    columns: [
      ...phoneColumns,
      ...names(`
      target target_group address ip_version fetch_time bytes_total bytes_sec warmup_time
      warmup_bytes threads successes failures
    `),
    ],
    rowKey: ['target', 'threads', 'ip_version'],
  },
  mobile_latency: {
    key: 'mobile_latency',
    name: 'Latency, mobile',
    agents: 'mobile',
    description: 'Round trips, jitter and loss by UDP from a phone',
    columns: [
      ...phoneColumns,
      ...names(`
      target target_group address ip_version rtt_avg rtt_min rtt_max rtt_std jitter
      successes failures
    `),
    ],
    rowKey: ['target', 'ip_version'],
  },
  mobile_upload: {
    key: 'mobile_upload',
    name: 'Upload speed, mobile',
    agents: 'mobile',
    description: 'Upload speed of a phone',
    columns: [
      ...phoneColumns,
      ...names(`
      target target_group address ip_version fetch_time bytes_total bytes_sec warmup_time
      warmup_bytes threads successes failures
    `),
    ],
    rowKey: ['target', 'threads', 'ip_version'],
  },
  mobile_www: {
    key: 'mobile_www',
    name: 'Web page, mobile',
    agents: 'mobile',
    description: 'Loading of a web page on a phone',
    columns: [
      ...phoneColumns,
      ...names(`
      target target_group address ip_version fetch_time bytes_total bytes_sec objects
      requests lookup_time connect_time ttfb successes failures
    `),
    ],
    rowKey: ['target', 'ip_version'],
  },
  mobile_youtube: {
    key: 'mobile_youtube',
    name: 'YouTube, mobile',
    agents: 'mobile',
    description: 'Video delivery from YouTube to a phone',
    columns: [
      ...phoneColumns,
      ...names(`
      target target_group address ip_version video_id bitrate resolution downthrpt
      bytes_total duration connect_time startup_delay buffer_underruns buffer_delay
      successes failures
    `),
    ],
    rowKey: ['target', 'video_id', 'ip_version'],
  },
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
