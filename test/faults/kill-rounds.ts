import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Random } from '../property/random.ts';
import { spawnNetpanel } from '../support/netpanel.ts';
import { snapshotDifferences } from '../support/isolated-stores.ts';
import { plainRequest } from '../support/plain-request.ts';
import { waitUntil } from '../support/wait-until.ts';
import { beginExport, exportOutcome } from './export-outcome.ts';
import type { FaultPanel } from './fault-panel.ts';
import { isProof } from './fault-settings.ts';
import type { IsolatedSystem, SystemPart } from './isolated-system.ts';
import { dataOf, type PanelClient } from './panel-client.ts';

const activities = ['put', 'publish', 'query', 'export', 'load'] as const;
type Activity = (typeof activities)[number];
type Victim = SystemPart | 'loader';

export interface KillRound {
  readonly number: number;
  readonly activity: Activity;
  readonly victim: Victim;
  /** When the kill happens: at this part of the messages that the undisturbed activity sends to the stores. */
  readonly part: number;
}

/** The first six rounds cover every activity and every victim; the others follow the seed. */
export function planRounds(count: number, seed: number): readonly KillRound[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const activity = random.pick(activities);
    const victims: readonly [Victim, ...Victim[]] =
      activity === 'load' ? [...systemVictims, 'loader'] : systemVictims;
    const [fixedActivity, fixedVictim] = firstRounds[i] ?? [activity, random.pick(victims)];
    return {
      number: i + 1,
      activity: fixedActivity,
      victim: fixedVictim,
      part: random.fraction(),
    };
  });
}

const systemVictims: readonly [Victim, ...Victim[]] = [
  'postgres',
  'clickhouse',
  'metadata',
  'query',
];

const firstRounds: readonly (readonly [Activity, Victim])[] = [
  ['put', 'postgres'],
  ['publish', 'metadata'],
  ['query', 'clickhouse'],
  ['export', 'query'],
  ['load', 'loader'],
  ['export', 'clickhouse'],
];

export interface KillContext {
  readonly system: IsolatedSystem;
  readonly panel: FaultPanel;
  readonly client: PanelClient;
  /** Number of loaded rows. Each must exist exactly once. */
  readonly loaded: { rows: number };
  /** Numbers the changes and files. */
  readonly started: { activities: number };
  readonly recoveryMs: number;
  /** How many messages the activities that were measured send. */
  readonly messages: Map<Activity, number>;
}

/** Plays the activity once without a kill. */
async function messagesOf(context: KillContext, activity: Activity): Promise<number> {
  const { system, messages } = context;
  const known = messages.get(activity);
  if (known !== undefined) return known;
  const before = system.messages.count;
  const work = await startActivity(context, activity);
  const check = await work.finished;
  if (activity === 'publish') await waitUntil(() => hasRecovered(context), context.recoveryMs);
  const count = system.messages.count - before;
  await check(() => context.recoveryMs);
  messages.set(activity, count);
  return count;
}

/** Plays one round and checks the state after it. Resolves with the recovery time in milliseconds. */
export async function playRound(context: KillContext, round: KillRound): Promise<number> {
  const { system, recoveryMs } = context;
  const count = await messagesOf(context, round.activity);
  const probe = startProbe(context.client);
  try {
    const reached = system.messages.after(Math.ceil(round.part * count));
    const work = await startActivity(context, round.activity);
    // Awaited below. Until then a rejection must not count as unhandled.
    work.finished.catch(() => undefined);
    await reached;
    if (round.victim === 'loader') work.killLoader();
    else await system.kill(round.victim);
    const restarted = round.victim === 'loader' ? undefined : system.start(round.victim);
    // The recovery time includes the start of a service, but not of a store.
    const isStore = round.victim === 'postgres' || round.victim === 'clickhouse';
    if (isStore) await restarted;
    const backAtMs = Date.now();
    const [finished] = await Promise.all([work.finished, restarted]);
    const leftMs = () => Math.max(0, backAtMs + recoveryMs - Date.now());
    await waitUntil(() => hasRecovered(context), leftMs());
    const tookMs = Date.now() - backAtMs;
    expect(tookMs).to.be.at.most(recoveryMs);
    await finished(leftMs);
    return tookMs;
  } finally {
    await probe.stop();
  }
}

/** The short form queries less often, because it shares the cores with other tests. */
const probePauseMs = isProof ? 20 : 200;

/** Queries continuously: every response must show one round and all results. */
function startProbe(client: PanelClient): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await client.queryByRound();
      await sleep(probePauseMs);
    }
  })();
  // Awaited by stop(). Until then a rejection must not count as unhandled.
  running.catch(() => undefined);
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
}

interface Work {
  /** Resolves when the activity has ended, with a check to run after the recovery. */
  readonly finished: Promise<(leftMs: () => number) => Promise<void>>;
  readonly killLoader: () => void;
}

async function startActivity(context: KillContext, activity: Activity): Promise<Work> {
  const { client } = context;
  const number = ++context.started.activities;
  const noLoader = () => undefined;
  const noCheck = () => Promise.resolve();
  switch (activity) {
    case 'put':
      return { finished: client.putRound(number).then(() => noCheck), killLoader: noLoader };
    case 'publish':
      // Waits for the response, so that the kill hits the publishing and not the change.
      expect(await client.putRound(number)).to.equal(true);
      return { finished: Promise.resolve(noCheck), killLoader: noLoader };
    case 'query': {
      const queries = Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          i % 2 === 0 ? client.queryByRound() : client.streamRaw(),
        ),
      );
      return { finished: queries.then(() => noCheck), killLoader: noLoader };
    }
    case 'export':
      return { finished: exportRound(context), killLoader: noLoader };
    case 'load':
      return loadRound(context, number);
  }
}

async function exportRound({ system, panel, client }: KillContext): Promise<Check> {
  const ids = await Promise.all([beginExport(client, panel), beginExport(client, panel)]);
  return async (leftMs) => {
    for (const id of ids) {
      if (id === undefined) continue;
      let ended: 'ready' | 'failed' | undefined;
      await waitUntil(
        async () => (ended = await exportOutcome(client, panel, id)) !== undefined,
        leftMs(),
      );
      expect(ended, 'an acknowledged export is lost').to.equal('ready');
    }
    // Also exports whose start got no response.
    const running = () => system.database('exports').where({ status: 'running' }).first('id');
    await waitUntil(async () => (await running()) === undefined, leftMs());
  };
}

type Check = (leftMs: () => number) => Promise<void>;

const loadRows = 3_000;

function loadRound(context: KillContext, number: number): Work {
  const { system, panel } = context;
  const file = join(system.stateDir, `load-${number}.csv`);
  writeFileSync(file, loadFile(number));
  const args = ['load', '--org', panel.tenant.name, '--test', 'httppost', '--no-wait', file];
  const child = spawnNetpanel(system, ...args);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdout.resume();
  child.stderr.resume();
  const repeated: Check = async () => {
    const again = spawnNetpanel(system, ...args);
    let output = '';
    again.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    again.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => again.once('close', resolve));
    expect(code, output).to.equal(0);
    context.loaded.rows += loadRows;
    expect(await uploadCount(context)).to.equal(context.loaded.rows);
  };
  return { finished: ended.then(() => repeated), killLoader: () => child.kill('SIGKILL') };
}

/** Uploads of January 2026. No two files share a timestamp. */
function loadFile(number: number): string {
  const start = Date.UTC(2026, 0, 1) + number * loadRows * 1000;
  const rows = Array.from({ length: loadRows }, (_, i) => {
    const dtime = new Date(start + i * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `${1 + (i % 200)},${dtime},n1.example.net,1000000,1,3`;
  });
  return `unit_id,dtime,target,bytes_sec,successes,threads\n${rows.join('\n')}\n`;
}

async function uploadCount({ client }: KillContext): Promise<number> {
  const outcome = await client.post('/metric_data', {
    ...plainRequest,
    metric: 'httppost',
    aggregation: 'total',
    time: { from: '2025-12-30 00:00', to: '2026-02-10 00:00' },
  });
  const data = dataOf(outcome) as
    readonly { metricData: readonly { sampleCount: number }[] }[] | undefined;
  return data?.[0]?.metricData[0]?.sampleCount ?? 0;
}

/** Both services are ready, the acknowledged change is visible, and the dictionary matches Postgres. */
async function hasRecovered({ system, client }: KillContext): Promise<boolean> {
  for (const url of system.opsUrls) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok !== true) return false;
  }
  const known = await Promise.all([1, 77, 200].map((unit) => client.roundOf(unit)));
  if (known.includes(undefined)) return false;
  const [round] = known;
  expect(known, 'a change was applied in part').to.deep.equal([round, round, round]);
  expect(round, 'an acknowledged change is lost').to.be.oneOf([client.acknowledged, client.sent]);
  if ((await client.queryByRound()) !== round) return false;
  const differences = await snapshotDifferences(system.database, system.clickhouse).catch(
    () => undefined,
  );
  if (differences === undefined) return false;
  expect(differences).to.deep.equal([]);
  // A change without a response that was applied counts as acknowledged from now on.
  client.acknowledged = round!;
  client.sent = round!;
  return true;
}
