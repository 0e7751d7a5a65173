import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Random } from '../property/random.ts';
import { spawnNetpanel } from '../support/netpanel.ts';
import { snapshotDifferences } from '../support/own-stores.ts';
import { until } from '../support/until.ts';
import { beginExport, exportOutcome } from './export-outcome.ts';
import type { FaultPanel } from './fault-panel.ts';
import type { OwnSystem, SystemPart } from './own-system.ts';
import { dataOf, type PanelCaller } from './panel-caller.ts';

const activities = ['put', 'publish', 'query', 'export', 'load'] as const;
type Activity = (typeof activities)[number];
type Victim = SystemPart | 'loader';

export interface KillRound {
  readonly number: number;
  readonly activity: Activity;
  readonly victim: Victim;
  /** When the kill comes, in milliseconds from the activity's start. */
  readonly afterMs: number;
}

/** The first five meet every activity and every victim once; the others are as the seed wants. */
export function planRounds(count: number, seed: number): readonly KillRound[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const activity = random.pick(activities);
    const victims: readonly [Victim, ...Victim[]] =
      activity === 'load' ? [...everywhere, 'loader'] : everywhere;
    const [fixedActivity, fixedVictim] = firstRounds[i] ?? [activity, random.pick(victims)];
    const afterMs = Math.floor(random.fraction() * lasts[fixedActivity]);
    return { number: i + 1, activity: fixedActivity, victim: fixedVictim, afterMs };
  });
}

const everywhere: readonly [Victim, ...Victim[]] = ['postgres', 'clickhouse', 'metadata', 'query'];

const firstRounds: readonly (readonly [Activity, Victim])[] = [
  ['put', 'postgres'],
  ['publish', 'metadata'],
  ['query', 'clickhouse'],
  ['export', 'query'],
  ['load', 'loader'],
];

/** Roughly how long each takes, in milliseconds, so that a kill may come at any point of it. */
const lasts: Readonly<Record<Activity, number>> = {
  put: 150,
  publish: 700,
  query: 500,
  export: 800,
  load: 2_000,
};

export interface KillField {
  readonly system: OwnSystem;
  readonly panel: FaultPanel;
  readonly caller: PanelCaller;
  /** Rows that loads have brought in, each of which must be there once. */
  readonly loaded: { rows: number };
  readonly recoveryMs: number;
}

/** Plays one round and holds what must be true after it. Resolves with the milliseconds it took to recover. */
export async function playRound(field: KillField, round: KillRound): Promise<number> {
  const { system, recoveryMs } = field;
  const probe = startProbe(field.caller);
  try {
    const work = await startActivity(field, round);
    // Met below; until then nobody is to call it unhandled.
    work.finished.catch(() => undefined);
    await sleep(round.afterMs);
    if (round.victim === 'loader') work.killLoader();
    else await system.kill(round.victim);
    const restarted = round.victim === 'loader' ? undefined : system.start(round.victim);
    // A store's own start, which is not ours to hurry, does not count; a service's does.
    const isStore = round.victim === 'postgres' || round.victim === 'clickhouse';
    if (isStore) await restarted;
    const backAtMs = Date.now();
    const [finished] = await Promise.all([work.finished, restarted]);
    const leftMs = () => Math.max(0, backAtMs + recoveryMs - Date.now());
    await until(() => hasRecovered(field), leftMs());
    const tookMs = Date.now() - backAtMs;
    expect(tookMs).to.be.at.most(recoveryMs);
    await finished(leftMs);
    return tookMs;
  } finally {
    await probe.stop();
  }
}

/** Asks all the time: whatever happens, an answer shows one round and every result. */
function startProbe(caller: PanelCaller): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await caller.queryByRound();
      await sleep(20);
    }
  })();
  // Met by stop(); until then nobody is to call it unhandled.
  running.catch(() => undefined);
  return {
    stop: () => {
      stopped.abort();
      return running;
    },
  };
}

interface Work {
  /** Resolves when the activity has ended, with what is to be checked once all has recovered. */
  readonly finished: Promise<(leftMs: () => number) => Promise<void>>;
  readonly killLoader: () => void;
}

async function startActivity(field: KillField, { activity, number }: KillRound): Promise<Work> {
  const { caller } = field;
  const noLoader = () => undefined;
  const nothingMore = () => Promise.resolve();
  switch (activity) {
    case 'put':
      return { finished: caller.putRound(number).then(() => nothingMore), killLoader: noLoader };
    case 'publish':
      // Acknowledged first, so that the kill meets the publishing and not the change.
      expect(await caller.putRound(number)).to.equal(true);
      return { finished: Promise.resolve(nothingMore), killLoader: noLoader };
    case 'query': {
      const asked = Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          i % 2 === 0 ? caller.queryByRound() : caller.streamRaw(),
        ),
      );
      return { finished: asked.then(() => nothingMore), killLoader: noLoader };
    }
    case 'export':
      return { finished: exportRound(field), killLoader: noLoader };
    case 'load':
      return loadRound(field, number);
  }
}

async function exportRound({ system, panel, caller }: KillField): Promise<Check> {
  const ids = await Promise.all([beginExport(caller, panel), beginExport(caller, panel)]);
  return async (leftMs) => {
    for (const id of ids) {
      if (id === undefined) continue;
      let ended: 'done' | 'failed' | undefined;
      await until(
        async () => (ended = await exportOutcome(caller, panel, id)) !== undefined,
        leftMs(),
      );
      if (ended === 'failed') await until(() => Promise.resolve(!isStored(system, id)), leftMs());
    }
    // Also one whose start was never answered.
    const running = () => system.database('exports').where({ status: 'running' }).first('id');
    await until(async () => (await running()) === undefined, leftMs());
  };
}

type Check = (leftMs: () => number) => Promise<void>;

function isStored({ stateDir }: OwnSystem, id: string): boolean {
  const folder = join(stateDir, 'exports');
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((path) => path.includes(id))
  );
}

const loadRows = 3_000;

function loadRound(field: KillField, number: number): Work {
  const { system, panel } = field;
  const file = join(system.stateDir, `load-${number}.csv`);
  writeFileSync(file, loadFile(number));
  const words = ['load', '--org', panel.tenant.name, '--test', 'httppost', file];
  const child = spawnNetpanel(system, ...words);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdout.resume();
  child.stderr.resume();
  const repeated: Check = async () => {
    const again = spawnNetpanel(system, ...words);
    let said = '';
    again.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    again.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise((resolve) => again.once('close', resolve));
    expect(code, said).to.equal(0);
    field.loaded.rows += loadRows;
    expect(await uploadCount(field)).to.equal(field.loaded.rows);
  };
  return { finished: ended.then(() => repeated), killLoader: () => child.kill('SIGKILL') };
}

/** Uploads of January 2026; every round has a second of the day of its own. */
function loadFile(number: number): string {
  const start = Date.UTC(2026, 0, 1) + number * loadRows * 1000;
  const rows = Array.from({ length: loadRows }, (_, i) => {
    const dtime = new Date(start + i * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `${1 + (i % 200)},${dtime},n1.example.net,1000000,1,3`;
  });
  return `unit_id,dtime,target,bytes_sec,successes,threads\n${rows.join('\n')}\n`;
}

async function uploadCount({ caller }: KillField): Promise<number> {
  const outcome = await caller.post('/metric_data', {
    metric: 'httppost',
    chartType: 'aggregate',
    aggregation: 'total',
    normalised: false,
    prefilter: false,
    time: { from: '2025-12-30 00:00', to: '2026-02-10 00:00' },
  });
  const data = dataOf(outcome) as
    readonly { metricData: readonly { sampleCount: number }[] }[] | undefined;
  return data?.[0]?.metricData[0]?.sampleCount ?? 0;
}

/** Both ready, what was acknowledged true and visible, and the dictionary what Postgres says. */
async function hasRecovered({ system, caller }: KillField): Promise<boolean> {
  for (const url of system.opsUrls) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok !== true) return false;
  }
  const known = await Promise.all([1, 77, 200].map((unit) => caller.roundOf(unit)));
  if (known.includes(undefined)) return false;
  const [round] = known;
  expect(known, 'half of a change was kept').to.deep.equal([round, round, round]);
  expect(round, 'an acknowledged change is lost').to.be.oneOf([caller.acknowledged, caller.sent]);
  if ((await caller.queryByRound()) !== round) return false;
  const differences = await snapshotDifferences(system.database, system.clickhouse).catch(
    () => undefined,
  );
  if (differences === undefined) return false;
  expect(differences).to.deep.equal([]);
  // An unanswered change that came true counts from now on as if it had been answered.
  caller.acknowledged = round!;
  caller.sent = round!;
  return true;
}
