import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LocalStack } from '../../test/support/local-stack.ts';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { median } from '../measure/quantile.ts';
import { timedMs } from '../measure/side-by-side.ts';
import type { BenchPanel } from '../panel/bench-panel.ts';
import { firstDifference, type Peer } from '../peers/daily-by-isp.ts';
import { duckDbPeer } from '../peers/duckdb-peer.ts';
import { netpanelPeer } from '../peers/netpanel-peer.ts';
import { postgresPeer } from '../peers/postgres-peer.ts';

/** The same daily-by-ISP query on the same rows in other systems. All results must agree. */
export async function peers(bench: Bench): Promise<Measurement[]> {
  const panel = await bench.panel();
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-peers-'));
  // Postgres may run as another user, which must be able to read the file.
  chmodSync(folder, 0o755);
  try {
    const csvPath = await writeResults(bench.stack, panel, join(folder, 'results.csv'));
    const ours = netpanelPeer(bench.stack, panel);
    const others = [
      await postgresPeer(bench.stack, panel, csvPath),
      await duckDbPeer(bench.stack, panel, csvPath),
    ];
    const measurements = await comparePeers(bench, [ours, ...others]);
    for (const peer of others) await peer.close();
    return measurements;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function comparePeers(
  { rounds, print }: Bench,
  all: readonly Peer[],
): Promise<Measurement[]> {
  const [ours] = all;
  if (ours === undefined) return [];
  const expected = await ours.run();
  for (const peer of all.slice(1)) {
    const difference = firstDifference(expected, await peer.run());
    if (difference !== undefined)
      throw new Error(`${peer.name} returns a different result: ${difference}`);
  }
  const times = new Map<Peer, number[]>(all.map((peer) => [peer, []]));
  for (let round = 0; round < rounds / 2; round++) {
    for (const peer of all) times.get(peer)?.push(await timedMs(peer.run));
  }
  const oursMs = median(times.get(ours) ?? []);
  return all.flatMap((peer) => {
    const ms = median(times.get(peer) ?? []);
    const lines = peer.queryText.split('\n').length;
    print(`${peer.name}: ${ms.toFixed(0)} ms, ${lines} lines`);
    const about = { section: 'peers' } as const;
    const measured = { ...about, what: `daily by ISP: ${peer.name}`, value: ms, unit: 'ms' };
    const written = { ...about, what: `${measured.what}, written`, value: lines, unit: 'lines' };
    const atLeast = wantedTimes[peer.name];
    if (atLeast === undefined) return [measured, written];
    const what = `${measured.what} against netpanel`;
    return [
      measured,
      { ...about, what, value: ms / oursMs, unit: '', target: { atLeast } },
      written,
    ];
  });
}

/** How many times as long as ours the others should take. */
const wantedTimes: Readonly<Record<string, number>> = { DuckDB: 2, Postgres: 20 };

async function writeResults(
  { clickhouse }: LocalStack,
  { tenant }: BenchPanel,
  path: string,
): Promise<string> {
  const { stream } = await clickhouse.exec({
    query: `SELECT agent_key, dtime, bytes_sec FROM test_httpget FINAL
WHERE organisation_id = {organisation:UInt32} FORMAT CSVWithNames`,
    query_params: { organisation: tenant.organisationId },
  });
  await pipeline(stream, createWriteStream(path));
  return path;
}
