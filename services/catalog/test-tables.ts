import { publishedAverages } from './published-averages.ts';
import { cellColumns } from './published-cells.ts';
import { columnDeclaration, type ColumnDeclaration } from './test-columns.ts';

/** A test and its table `test_<key>`, which `netpanel migrate` creates. */
export interface TestTable extends Omit<TestDefinition, 'agents' | 'columns'> {
  readonly key: TestKey;
  /** `cells`: each stands for the results of a cell of a publication. */
  readonly agents: 'units' | 'mobile' | 'cells';
  readonly columns: readonly string[];
}

interface TestDefinition {
  /** For people: `Download speed`. */
  readonly name: string;
  /** Default: units. */
  readonly agents?: 'mobile' | 'cells';
  readonly description: string;
  /** After the common columns, in the order of the table, with spaces between them. */
  readonly columns: string;
  /** Comments of columns, also common ones, that mean something else than in most tests. */
  readonly comments?: Readonly<Record<string, string>>;
  /** The columns that distinguish rows of an agent with the same dtime. They cannot change. */
  readonly rowKey: readonly string[];
  /** Columns with an index of their lowest and highest values. */
  readonly indexed?: readonly string[];
  /** If a test can have several rows: its result is the last row in the order of these columns. */
  readonly lastRowBy?: readonly string[];
  /**
   * How often an agent runs the test, if a run has one result. Absent for tests that phones and web pages run on demand,
   * and for DNS, ping and traceroute, which have one result per target.
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

const transfer = {
  columns: `
    target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time
    warmup_bytes sequence threads tcp_retransmissions successes failures ip_version
    target_group
  `,
  comments: { bytes_total: 'Transferred in fetch_time, cumulative over sequence, bytes' },
  rowKey: ['target', 'sequence', 'threads', 'ip_version'],
  schedule: everyTwoHours,
  // Before 2013 a test has a row for each 5 seconds. The index finds those rows.
  indexed: ['sequence'],
  lastRowBy: ['sequence'],
};

const roundTrips = {
  columns: `
    target target_group address ip_version line_load rtt_avg rtt_min rtt_max rtt_std
    successes failures
  `,
  comments: { successes: 'Packets returned', failures: 'Packets lost' },
  rowKey: ['target', 'line_load', 'ip_version'],
};

const phoneColumns = `
  manufacturer model operating_system operating_system_version app_version geo_country
  connection_type cellular_technology carrier_name is_roaming cell_id signal_strength
`;

const phoneTransfer = {
  agents: 'mobile',
  columns: `
    ${phoneColumns}
    target target_group address ip_version fetch_time bytes_total bytes_sec warmup_time
    warmup_bytes threads successes failures
  `,
  rowKey: ['target', 'threads', 'ip_version'],
} as const;

export const commonColumns = ['base', 'ddate', 'dtime', 'agent_id', 'unit_id'] as const;

const definitions = {
  httpget: {
    name: 'Download speed',
    description: 'Download speed over HTTP',
    ...transfer,
  },
  httppost: {
    name: 'Upload speed',
    description: 'Upload speed over HTTP',
    ...transfer,
  },
  dns: {
    name: 'DNS',
    description: 'Name resolution; one row per name server and name looked up',
    columns: `nameserver lookup_host record_type response_ip rtt successes failures ip_version`,
    comments: {
      successes: 'Queries with a response',
      failures: 'Queries refused or without a response',
    },
    rowKey: ['nameserver', 'lookup_host', 'record_type', 'ip_version'],
  },
  netflix: {
    name: 'Netflix',
    description: 'Video delivery from Netflix: the highest bit rate the line sustains',
    columns: `
      target target_group address ip_version bitrate resolution downthrpt bytes_total
      duration connect_time startup_delay buffer_underruns buffer_delay ttfb successes
      failures
    `,
    rowKey: ['target', 'ip_version'],
    schedule: everyTwoHours,
  },
  ping: {
    name: 'Ping',
    description: 'Round trips by ICMP',
    ...roundTrips,
  },
  jitter: {
    name: 'Jitter',
    description: 'Jitter and loss of a paced UDP stream, both ways',
    columns: `
      target target_group address ip_version packet_size stream_rate duration
      packets_up_sent packets_down_sent packets_up_recv packets_down_recv jitter_up
      jitter_down latency successes failures
    `,
    comments: { duration: 'Length of the test, microseconds' },
    rowKey: ['target', 'packet_size', 'stream_rate', 'ip_version'],
    schedule: hourly,
  },
  latency: {
    name: 'Latency and packet loss',
    description: 'Round trips and loss by UDP, sampled over an hour',
    ...roundTrips,
    schedule: byDefinition,
  },
  webget: {
    name: 'Web page',
    description: 'Loading of a web page with its objects',
    columns: `
      target target_group address ip_version fetch_time bytes_total bytes_sec objects
      threads requests connections reused_connections lookups request_total_time
      request_min_time request_avg_time request_max_time ttfb_total ttfb_min ttfb_avg
      ttfb_max lookup_total_time lookup_min_time lookup_avg_time lookup_max_time successes
      failures
    `,
    comments: { fetch_time: 'Time to load the page and its objects, microseconds' },
    rowKey: ['target', 'threads', 'ip_version'],
  },
  youtube: {
    name: 'YouTube',
    description: 'Video delivery from YouTube; also holds the public videostream data',
    columns: `
      target target_group address ip_version video_id bitrate resolution downthrpt
      bytes_total duration connect_time startup_delay buffer_underruns buffer_delay
      buffer_size buffer_filltime downjitter latency jitter successes failures
    `,
    rowKey: ['target', 'video_id', 'ip_version'],
  },
  network_usage: {
    name: 'Network usage',
    description:
      'Traffic through the router in the hour before dtime; what the household used is wan minus sk',
    columns: `wan_rx_bytes wan_tx_bytes sk_rx_bytes sk_tx_bytes`,
    rowKey: [],
    schedule: byDefinition,
  },
  traceroute: {
    name: 'Traceroute',
    description: 'Route to a server; one row per hop and address seen there',
    columns: `
      target target_group address ip_version protocol hop hop_address hop_name sent
      received rtt_avg successes failures
    `,
    comments: {
      rtt_avg: 'Mean round trip to the hop, microseconds',
      successes: '1 when the route reached the target',
      failures: '1 when the route did not reach the target',
    },
    rowKey: ['target', 'protocol', 'ip_version', 'hop', 'hop_address'],
    // One row per hop and address seen there; the last row is the target.
    lastRowBy: ['hop', 'hop_address'],
  },
  udpcloss: {
    name: 'Disconnections',
    description: 'Runs of consecutive UDP packets that were lost; one row per disconnection',
    columns: `target target_group address ip_version duration packets`,
    comments: {
      dtime: 'When the disconnection was recorded, UTC',
      duration: 'Length of the disconnection, microseconds',
    },
    rowKey: ['target', 'ip_version'],
  },
  panel: {
    name: 'Published unit averages',
    description:
      'Unit averages as a regulator publishes them: one result per unit and period, which begins at dtime and ends with the day period_end',
    columns: `
      period_end
      download_mean download_min download_max
      busy_download_mean busy_download_min busy_download_max
      upload_mean upload_min upload_max
      busy_upload_mean busy_upload_min busy_upload_max
      latency_mean latency_min latency_max
      busy_latency_mean busy_latency_min busy_latency_max
      daily_outages
      ${publishedAverages.map(({ column }) => column).join(' ')}
      masked
    `,
    comments: {
      dtime:
        'When the period begins, UTC: the local midnight of the unit, if its time zone is known',
    },
    rowKey: [],
  },
  cells: {
    name: 'Published percentiles',
    agents: 'cells',
    description:
      'Percentiles that a publisher computed of many results: one row per cell, such as a country, and period, which begins at dtime and ends with the day period_end',
    columns: `period_end ${cellColumns.map(({ name }) => name).join(' ')}`,
    comments: {
      dtime: 'When the period begins, UTC',
      ...Object.fromEntries(cellColumns.map(({ name, about }) => [name, about])),
    },
    rowKey: [],
  },
  mobile_download: {
    name: 'Download speed, mobile',
    description: 'Download speed of a phone',
    ...phoneTransfer,
  },
  mobile_latency: {
    name: 'Latency, mobile',
    agents: 'mobile',
    description: 'Round trips, jitter and loss by UDP from a phone',
    columns: `
      ${phoneColumns}
      target target_group address ip_version rtt_avg rtt_min rtt_max rtt_std jitter
      successes failures
    `,
    comments: {
      jitter: 'Mean difference between one round trip and the next, microseconds',
      successes: 'Packets returned',
      failures: 'Packets lost',
    },
    rowKey: ['target', 'ip_version'],
  },
  mobile_upload: {
    name: 'Upload speed, mobile',
    description: 'Upload speed of a phone',
    ...phoneTransfer,
  },
  mobile_www: {
    name: 'Web page, mobile',
    agents: 'mobile',
    description: 'Loading of a web page on a phone',
    columns: `
      ${phoneColumns}
      target target_group address ip_version fetch_time bytes_total bytes_sec objects
      requests lookup_time connect_time ttfb successes failures
    `,
    comments: { fetch_time: 'Time to load the page and its objects, microseconds' },
    rowKey: ['target', 'ip_version'],
  },
  mobile_youtube: {
    name: 'YouTube, mobile',
    agents: 'mobile',
    description: 'Video delivery from YouTube to a phone',
    columns: `
      ${phoneColumns}
      target target_group address ip_version video_id bitrate resolution downthrpt
      bytes_total duration connect_time startup_delay buffer_underruns buffer_delay
      successes failures
    `,
    rowKey: ['target', 'video_id', 'ip_version'],
  },
} as const satisfies Record<string, TestDefinition>;

export type TestKey = keyof typeof definitions;

export const testKeys = Object.keys(definitions) as readonly TestKey[];

export const testTables = Object.fromEntries(
  testKeys.map((key) => [key, tableOf(key, definitions[key])]),
) as Readonly<Record<TestKey, TestTable>>;

function tableOf(key: TestKey, definition: TestDefinition): TestTable {
  const columns = definition.columns.trim().split(/\s+/);
  // Throws if one is not declared.
  columns.forEach(columnDeclaration);
  return { agents: 'units', ...definition, key, columns };
}

export function testTable(key: TestKey): TestTable {
  return testTables[key];
}

export function isTestKey(key: string): key is TestKey {
  return Object.hasOwn(testTables, key);
}

/** The columns of a test, common ones included, in the order of its table. */
export function columnsOfTest(key: TestKey): readonly string[] {
  return [...commonColumns, ...testTable(key).columns];
}

export interface TestColumn extends ColumnDeclaration {
  readonly name: string;
  /** Rows of an agent with the same values in these columns are one result. */
  readonly isKey: boolean;
}

/** Their declarations, in the same order. */
export function testColumns(key: TestKey): readonly TestColumn[] {
  const { comments = {}, rowKey } = testTable(key);
  return columnsOfTest(key).map((name) => {
    const comment = comments[name];
    return {
      name,
      ...columnDeclaration(name),
      ...(comment !== undefined && { comment }),
      isKey: name === 'dtime' || rowKey.includes(name),
    };
  });
}

/** Whether a test's rows have a column, common ones included. */
export function hasColumn(key: TestKey, column: string): boolean {
  return columnsOfTest(key).includes(column);
}
