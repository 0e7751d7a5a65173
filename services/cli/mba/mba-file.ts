import { columnOrders } from './column-order.ts';

/** The content of a file of an MBA release. */
export interface MbaFile {
  readonly test: string;
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
