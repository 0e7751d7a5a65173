import type { TestKey } from '../../catalog/test-tables.ts';
import { HeaderError } from '../../results/columns/file-plan.ts';
import type { Header } from '../../results/csv.ts';

/** The content of a file of an MBA release. */
export interface MbaFile {
  readonly test: TestKey;
  /** Column values that the file name gives for every row. */
  readonly constants: Readonly<Record<string, string | number>>;
  /** The same, for files of years without this column. */
  readonly fallbacks: Readonly<Record<string, string | number>>;
  /** The columns of files without a header; several if they differ between years. */
  readonly columnOrders: readonly (readonly string[])[];
}

/**
 * Recognises a file by its name: `curr_httpgetmt6.csv` is the download test, multi-threaded, over
 * IPv6. From 2011 to 2016 the name has the month: `curr_httppostmt_2014_01.csv`. 'unsupported' is a file of a
 * release without a test in netpanel; undefined is any other file.
 */
export function mbaFile(fileName: string): MbaFile | 'unsupported' | undefined {
  const name = /^curr_(\w+?)(?:[_-]\d{4}[_-]?\d\d)?\.csv(?:\.gz)?$/i
    .exec(fileName)?.[1]
    ?.toLowerCase();
  if (name === undefined) return undefined;
  const [, kind = '', threads, version] = /^(\w+?)(mt)?(6)?$/.exec(name) ?? [];
  const known = tests[kind];
  if (known === undefined) return 'unsupported';
  const { test } = known;
  return {
    test,
    constants: {
      ...(test === 'network_usage' ? {} : { ip_version: version === undefined ? 4 : 6 }),
      ...(known.lineLoad === undefined ? {} : { line_load: known.lineLoad }),
    },
    // Multi-threaded tests used three connections in the years without the column.
    fallbacks: known.hasThreads ? { threads: threads === undefined ? 1 : 3 } : {},
    columnOrders: columnOrders[test],
  };
}

const transfer = names(`
  target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time warmup_bytes
  sequence threads successes failures
`);
const roundTrips = names('target rtt_avg rtt_min rtt_max rtt_std successes failures');

/**
 * The columns of each test in the order of the FCC's data dictionary, for the files of July 2011 to August 2016,
 * which have no header. Some files have location_id at the end, and some have ddate after dtime.
 */
const columnOrders = {
  httpget: [transfer],
  httppost: [transfer],
  ping: [roundTrips],
  latency: [roundTrips],
  udpcloss: [names('duration target address packets')],
  jitter: [
    names(`
      target packet_size stream_rate duration packets_up_sent packets_down_sent packets_up_recv
      packets_down_recv jitter_up jitter_down latency successes failures
    `),
  ],
  dns: [names('nameserver lookup_host response_ip rtt successes failures')],
  webget: [
    names(`
      target address fetch_time bytes_total bytes_sec objects threads requests connections
      reused_connections lookups request_total_time request_min_time request_avg_time
      request_max_time ttfb_total ttfb_min ttfb_avg ttfb_max lookup_total_time lookup_min_time
      lookup_avg_time lookup_max_time successes failures
    `),
    // July and August 2011.
    names('target fetch_time bytes_total bytes_sec objects successes failures'),
  ],
  traceroute: [
    names(`
      target address protocol hop hop_address hop_name sent received rtt_avg successes failures
    `),
  ],
  youtube: [
    names(`
      target downthrpt downjitter latency jitter buffer_underruns buffer_delay buffer_filltime
      duration bitrate buffer_size successes failures
    `),
  ],
  network_usage: [names('wan_rx_bytes wan_tx_bytes sk_rx_bytes sk_tx_bytes')],
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;

/** The names of the columns, which all files begin with `unit_id` and `dtime`. */
function names(text: string): readonly string[] {
  return ['unit_id', 'dtime', ...text.trim().split(/\s+/)];
}

interface KnownTest {
  readonly test: keyof typeof columnOrders;
  readonly lineLoad?: 'download' | 'upload';
  readonly hasThreads?: true;
}

const tests: Readonly<Record<string, KnownTest>> = {
  httpget: { test: 'httpget', hasThreads: true },
  httppost: { test: 'httppost', hasThreads: true },
  ping: { test: 'ping' },
  dlping: { test: 'ping', lineLoad: 'download' },
  ulping: { test: 'ping', lineLoad: 'upload' },
  udplatency: { test: 'latency' },
  udpcloss: { test: 'udpcloss' },
  udpjitter: { test: 'jitter' },
  dns: { test: 'dns' },
  webget: { test: 'webget' },
  traceroute: { test: 'traceroute' },
  videostream: { test: 'youtube' },
  netusage: { test: 'network_usage' },
};

/**
 * The column names of a file of a release, from its first line. Files of July 2011 to August 2016 start with data:
 * their columns are in the FCC's order. Files of early 2011 start with `#unit_id`.
 */
export function mbaHeader(firstLine: readonly string[], { columnOrders }: MbaFile): Header {
  if (!isData(firstLine)) {
    return { titles: firstLine.map((title) => title.replace(/^#\s*/, '')), isMissing: false };
  }
  const hasDate = /^\d{4}-\d\d-\d\d$/.test(firstLine[2] ?? '');
  const count = firstLine.length - (hasDate ? 1 : 0);
  for (const order of columnOrders) {
    const extra = count - order.length;
    if (extra !== 0 && extra !== 1) continue;
    const [unit = '', time = '', ...others] = order;
    const titles = [unit, time, ...(hasDate ? ['ddate'] : []), ...others];
    return { titles: extra === 1 ? [...titles, 'location_id'] : titles, isMissing: true };
  }
  const known = columnOrders.map(({ length }) => `${length} or ${length + 1}`).join(', ');
  throw new HeaderError(
    `the file has no header, and line 1 has ${firstLine.length} columns. Files of this test without a header ` +
      `have ${known} columns: ${columnOrders[0]?.join(', ')}, and perhaps location_id`,
  );
}

/** `1001984,2014-01-23 18:12:10,…` */
function isData([unit = '', time = '']: readonly string[]): boolean {
  return /^\d+$/.test(unit) && /^\d{4}-\d\d-\d\d[ T]\d\d:/.test(time);
}
