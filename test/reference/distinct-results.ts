import type { Row, TestName } from './panel.ts';

/** What tells rows of one agent at one moment apart. */
const rowKeys: Readonly<Record<TestName, readonly string[]>> = {
  httpget: ['target', 'threads', 'ip_version', 'sequence'],
  dns: ['nameserver', 'lookup_host', 'record_type', 'ip_version'],
  latency: ['target', 'line_load', 'ip_version'],
  jitter: ['target', 'packet_size', 'stream_rate', 'ip_version'],
  network_usage: [],
  mobile_download: ['target', 'threads', 'ip_version'],
};

/**
 * The results behind the rows of a test: a row that was sent twice counts as it came first, and a
 * download of several sequences is its last row.
 */
export function distinctResults(test: TestName, rows: readonly Row[]): readonly Row[] {
  const firstReceived = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row, rowKeys[test]);
    if (!firstReceived.has(key)) firstReceived.set(key, row);
  }
  const lastOfTest = new Map<string, Row>();
  for (const row of firstReceived.values()) {
    const key = keyOf(
      row,
      rowKeys[test].filter((column) => column !== 'sequence'),
    );
    const other = lastOfTest.get(key);
    if (other === undefined || sequenceOf(other) < sequenceOf(row)) lastOfTest.set(key, row);
  }
  return [...lastOfTest.values()];
}

function keyOf({ agent, dtimeUtcMs, columns }: Row, names: readonly string[]): string {
  return JSON.stringify([agent.agentId, dtimeUtcMs, ...names.map((name) => columns[name])]);
}

function sequenceOf(row: Row): number {
  return Number(row.columns.sequence ?? 0);
}
