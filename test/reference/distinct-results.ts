import { compareValues } from './compare-values.ts';
import { groupBy } from './group-by.ts';
import type { Row, TestName } from './panel.ts';

interface TestKey {
  /** Columns that identify a test among those of one agent at one time. */
  readonly ofTest: readonly string[];
  /** Columns that identify a row of a test. The last row has the highest values. */
  readonly ofRow?: readonly string[];
}

const inSequences: TestKey = { ofTest: ['target', 'threads', 'ip_version'], ofRow: ['sequence'] };
const underLoads: TestKey = { ofTest: ['target', 'line_load', 'ip_version'] };
const inThreads: TestKey = { ofTest: ['target', 'threads', 'ip_version'] };
const ofClips: TestKey = { ofTest: ['target', 'video_id', 'ip_version'] };
const ofServers: TestKey = { ofTest: ['target', 'ip_version'] };

const testKeys: Readonly<Record<TestName, TestKey>> = {
  httpget: inSequences,
  httppost: inSequences,
  dns: { ofTest: ['nameserver', 'lookup_host', 'record_type', 'ip_version'] },
  netflix: ofServers,
  ping: underLoads,
  jitter: { ofTest: ['target', 'packet_size', 'stream_rate', 'ip_version'] },
  latency: underLoads,
  webget: inThreads,
  youtube: ofClips,
  network_usage: { ofTest: [] },
  traceroute: { ofTest: ['target', 'protocol', 'ip_version'], ofRow: ['hop', 'hop_address'] },
  udpcloss: ofServers,
  panel: { ofTest: [] },
  cells: { ofTest: [] },
  mobile_download: inThreads,
  mobile_latency: ofServers,
  mobile_upload: inThreads,
  mobile_www: ofServers,
  mobile_youtube: ofClips,
};

/**
 * The results of a test's rows: of a row that was sent twice only the first counts, and the result of a
 * download in several sequences, or of a route of several hops, is its last row.
 */
export function distinctResults(test: TestName, rows: readonly Row[]): readonly Row[] {
  const { ofTest, ofRow = [] } = testKeys[test];
  const byRowKey = groupBy(rows, (row) => keyOf(row, rowKey(test)));
  const firstReceived = [...byRowKey.values()].map(([first]) => first!);
  const tests = groupBy(firstReceived, (row) => keyOf(row, ofTest));
  return [...tests.values()].map((own) =>
    own.reduce((last, row) => (compareBy(ofRow, last, row) < 0 ? row : last)),
  );
}

/** The columns that identify a row among those of one agent at one time. */
export function rowKey(test: TestName): readonly string[] {
  const { ofTest, ofRow = [] } = testKeys[test];
  return [...ofTest, ...ofRow];
}

function keyOf({ agent, dtimeUtcMs, columns }: Row, names: readonly string[]): string {
  return JSON.stringify([agent.agentId, dtimeUtcMs, ...names.map((name) => columns[name])]);
}

function compareBy(names: readonly string[], a: Row, b: Row): number {
  const orders = names.map((name) => compareValues(a.columns[name]!, b.columns[name]!));
  return orders.find((order) => order !== 0) ?? 0;
}
