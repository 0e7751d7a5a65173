import { type PublishedAverage, publishedAverages } from './published-averages.ts';
import { type CellColumn, cellColumns } from './published-cells.ts';

/**
 * A column of result tables. Columns with the same name have the same type in all tests, so that requests use them as one
 * field.
 */
export interface ColumnDeclaration {
  /** Of ClickHouse. */
  readonly type: string;
  /** SQL of the value where a row has none; by default that of the type. */
  readonly default?: string;
  readonly codec?: string;
  /** Every row must have a value: the default of the type would be a wrong one. */
  readonly isRequired?: true;
  /** Of ClickHouse's column. A test may have its own: `TestTable.comments`. */
  readonly comment?: string;
}

// Codecs were chosen by measurement: 240,000 generated download results (1,000 agents, one every two hours, values
// distributed as in the public data) take 33.1 bytes per row after merging, 49.7 without codecs. T64 saves a third of
// counters and durations. Delta is best for dtime (3.1 bytes, 4.1 with DoubleDelta). ZSTD halves agent_id. address is
// smallest without a codec.
const zstd = 'ZSTD(1)';
const delta = 'Delta, ZSTD(1)';

const declarations: Readonly<Record<string, ColumnDeclaration>> = {
  // Of published cells. Some have the names and types of columns of units below, and comments of their own.
  ...Object.fromEntries(cellColumns.map((column) => [column.name, ofCell(column)])),

  // Of every test.
  base: name('Device model'),
  ddate: { type: 'Date', default: 'toDate(dtime)', codec: zstd, comment: 'Date of dtime, UTC' },
  dtime: {
    type: "DateTime64(3, 'UTC')",
    codec: delta,
    isRequired: true,
    comment: 'When the test ended, UTC',
  },
  agent_id: text(),
  unit_id: nullable('UInt64', 'NULL for agents that are not units, such as phones'),

  // Of most tests.
  target: name('Test server, by host name'),
  target_group: name('Set of test servers the target belongs to; the filter target_set'),
  address: { type: 'String', comment: 'IP address the target resolved to' },
  ip_version: { type: 'UInt8', default: '4', comment: '4 or 6' },
  successes: integer('UInt32', '1 when the test succeeded'),
  failures: integer('UInt32', '1 when the test failed'),

  // Downloads, uploads and web pages.
  fetch_time: micros('UInt64', 'Time from the first byte to the last, without warm-up'),
  bytes_total: integer('UInt64', 'Bytes transferred'),
  bytes_sec: integer(
    'Int64',
    'Bytes per second over the whole test; faulty devices report values below zero',
  ),
  bytes_sec_interval: integer('Int64', 'Bytes per second in the interval of this sequence'),
  warmup_time: micros('UInt64', 'Time spent before measuring, while TCP opens its window'),
  warmup_bytes: integer('UInt64', 'Bytes transferred during warm-up'),
  sequence: integer(
    'UInt16',
    '0 for the only row of a test; before 2013 a test has one row per 5 seconds: 0, 1, 2 ...',
  ),
  threads: integer('UInt16', 'Concurrent TCP connections'),
  tcp_retransmissions: nullable(
    'UInt32',
    'Retransmitted segments; NULL where the device does not count them',
  ),
  objects: integer('UInt32', 'Images, scripts and style sheets of the page'),
  requests: integer('UInt32', 'HTTP requests'),
  connections: integer('UInt32', 'TCP connections opened'),
  reused_connections: integer('UInt32', 'Requests sent over a connection already open'),
  lookups: integer('UInt32', 'Names resolved'),
  ...perRequest((of) => `request_${of}_time`, 'Time of a request'),
  ...perRequest((of) => `ttfb_${of}`, 'Time to first byte'),
  ...perRequest((of) => `lookup_${of}_time`, 'Time to resolve a name'),
  lookup_time: micros('UInt32', 'Time to resolve the name of the page'),
  connect_time: micros('UInt32', 'Time of the TCP connection to the server'),
  ttfb: micros('UInt32', 'Time to first byte'),

  // DNS.
  nameserver: { type: 'String', comment: 'IP address of the resolver' },
  lookup_host: name('Name looked up'),
  record_type: name('Record type: A or AAAA', "'A'"),
  response_ip: text('Address in the response'),
  rtt: micros('UInt32', 'Response time'),

  // Videos.
  video_id: name('Clip played'),
  bitrate: integer('UInt64', 'Media bit rate of the stream played, bytes per second'),
  resolution: integer('UInt16', 'Vertical resolution, lines: 720, 1080, 2160'),
  downthrpt: integer('UInt64', 'Download speed from the video server, bytes per second'),
  duration: micros('UInt64', 'Length of playback tested'),
  startup_delay: micros('UInt64', 'Time from the request to the first picture'),
  buffer_underruns: integer('UInt32', 'Number of times playback stopped to buffer'),
  buffer_delay: micros('UInt64', 'Total time playback was stopped'),
  buffer_size: integer('UInt64', 'Play-out buffer, bytes'),
  buffer_filltime: micros('UInt64', 'Time to fill the buffer at the start'),
  downjitter: micros('UInt32', 'Jitter of the stream'),

  // Round trips, routes and streams of packets.
  line_load: name(
    'What else used the line: idle, download or upload (latency under load)',
    "'idle'",
  ),
  rtt_avg: micros('UInt32', 'Mean round trip'),
  rtt_min: micros('UInt32', 'Fastest round trip'),
  rtt_max: micros('UInt32', 'Slowest round trip'),
  rtt_std: micros('UInt32', 'Standard deviation of the round trips'),
  protocol: name('ICMP, UDP or TCP'),
  hop: integer('UInt8', '1 is the first router'),
  hop_address: text('IP address of the router that responded, empty when none did'),
  hop_name: text('Host name of the router'),
  sent: integer('UInt32', 'Probes sent'),
  received: integer('UInt32', 'Probes with a response'),
  packet_size: integer('UInt16', 'Bytes'),
  stream_rate: integer('UInt32', 'Rate of the stream, bits per second: 64000 for one voice call'),
  packets: integer('UInt32', 'Consecutive packets lost'),
  packets_up_sent: integer('UInt32'),
  packets_down_sent: integer('UInt32'),
  packets_up_recv: integer('UInt32', 'Upstream packets that reached the server'),
  packets_down_recv: integer('UInt32', 'Downstream packets that reached the agent'),
  jitter_up: micros('UInt32', 'Upstream'),
  jitter_down: micros('UInt32', 'Downstream'),
  jitter: micros('UInt32', 'Jitter of the round trips'),
  latency: micros('UInt32', 'Mean round trip'),

  // Traffic.
  wan_rx_bytes: integer('Int64', 'Received on the line, bytes; counters that wrap are below zero'),
  wan_tx_bytes: integer('Int64', 'Sent on the line, bytes; counters that wrap are below zero'),
  sk_rx_bytes: integer(
    'Int64',
    'Received by our own tests, bytes; counters that wrap are below zero',
  ),
  sk_tx_bytes: integer('Int64', 'Sent by our own tests, bytes; counters that wrap are below zero'),

  // Averages that a regulator publishes. Columns may be missing in a publication, and cells may be blank: both are NULL,
  // never 0.
  period_end: {
    type: 'Date',
    codec: zstd,
    isRequired: true,
    comment: 'Last day of the period, inclusive, local date of the unit',
  },
  ...published('download', 'UInt64', 'download speed', 'bytes per second'),
  ...published('upload', 'UInt64', 'upload speed', 'bytes per second'),
  ...published('latency', 'UInt32', 'round trip', 'microseconds'),
  daily_outages: nullable('Float64', 'Outages per day, mean over the period'),
  masked: name(
    'Values that the publisher masks: download_mean:above if the value is higher than download_mean, which may be NULL',
  ),
  ...Object.fromEntries(publishedAverages.map((average) => [average.column, averageOf(average)])),

  // Phones.
  manufacturer: name('Of the phone'),
  model: name('Of the phone'),
  operating_system: name('Android or iOS'),
  operating_system_version: name(),
  app_version: name(),
  geo_country: name('Country the phone was in, ISO 3166-1 alpha-2'),
  connection_type: name('Wi-Fi or Cellular'),
  cellular_technology: name('3G, 4G or 5G; empty on Wi-Fi'),
  carrier_name: name(),
  is_roaming: { type: 'Nullable(Bool)', comment: 'NULL on Wi-Fi' },
  cell_id: nullable('UInt64', 'NULL on Wi-Fi'),
  signal_strength: nullable('Int16', 'RSRP or RSSI, dBm; NULL where the phone does not report it'),
};

export function columnDeclaration(column: string): ColumnDeclaration {
  const declaration = declarations[column];
  if (declaration === undefined) throw new Error(`The column ${column} is not declared`);
  return declaration;
}

/** The type in responses. */
export function columnType(column: string): 'text' | 'number' | 'time' {
  const { type } = columnDeclaration(column);
  if (type.startsWith('Date')) return 'time';
  return type.includes('String') ? 'text' : 'number';
}

/** A text with few different values. */
function name(comment?: string, defaultSql?: string): ColumnDeclaration {
  return {
    type: 'LowCardinality(String)',
    ...(comment !== undefined && { comment }),
    ...(defaultSql !== undefined && { default: defaultSql }),
  };
}

function text(comment?: string): ColumnDeclaration {
  return { type: 'String', codec: zstd, ...(comment !== undefined && { comment }) };
}

function integer(type: string, comment?: string): ColumnDeclaration {
  return { type, codec: 'T64, ZSTD(1)', ...(comment !== undefined && { comment }) };
}

/** A duration. */
function micros(type: string, comment: string): ColumnDeclaration {
  return integer(type, `${comment}, microseconds`);
}

function nullable(type: string, comment: string): ColumnDeclaration {
  return { type: `Nullable(${type})`, codec: zstd, comment };
}

/** A duration of each request of a web page. */
function perRequest(
  column: (of: string) => string,
  comment: string,
): Readonly<Record<string, ColumnDeclaration>> {
  const values = { total: 'sum over requests', min: 'fastest', avg: 'mean', max: 'slowest' };
  return Object.fromEntries(
    Object.entries(values).map(([of, what]) => [
      column(of),
      micros('UInt64', `${comment}, ${what}`),
    ]),
  );
}

/** The values of a unit, over all hours and over busy hours. */
function published(
  column: string,
  type: string,
  what: string,
  unit: string,
): Readonly<Record<string, ColumnDeclaration>> {
  const ofHours = (prefix: string, hours: string) =>
    [
      [`mean`, `Mean ${what} over ${hours}, trimmed if the publisher trims it, ${unit}`],
      [`min`, `Lowest ${what}, ${hours}, ${unit}`],
      [`max`, `Highest ${what}, ${hours}, ${unit}`],
    ].map(([of, comment]) => [`${prefix}${column}_${of}`, integer(`Nullable(${type})`, comment)]);
  return Object.fromEntries([
    ...ofHours('', 'all hours'),
    ...ofHours('busy_', 'busy hours'),
  ]) as Record<string, ColumnDeclaration>;
}

function ofCell({ kind, about }: CellColumn): ColumnDeclaration {
  if (kind === 'percent') return nullable('Float64', about);
  const types = { count: 'UInt64', speed: 'Nullable(UInt64)', delay: 'Nullable(UInt32)' };
  return integer(types[kind], about);
}

function averageOf({ kind, about }: PublishedAverage): ColumnDeclaration {
  if (kind === 'percent') return nullable('Float64', `${about}, percent`);
  const [type, unit] =
    kind === 'speed' ? ['UInt64', 'bytes per second'] : ['UInt32', 'microseconds'];
  return integer(`Nullable(${type})`, `${about}, ${unit}`);
}
