import { setTimeout as sleep } from 'node:timers/promises';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { doDue } from '../../shared/jobs/durable-job.ts';
import { describeLoad } from '../summary/describe-load.ts';
import { messagesOf } from '../../shared/errors/messages-of.ts';
import { type LoadedFile, loadFoundFile, type LoadPlan } from './load-found-file.ts';
import type { WatchedFiles } from './watched-files.ts';
import type { FoundFile } from './watched-place.ts';

export interface WatchOptions {
  readonly plan: LoadPlan;
  readonly files: WatchedFiles;
  readonly settleMs: number;
  readonly intervalMs: number;
  /** Aborted by SIGTERM and SIGINT: the current file is loaded to its end. */
  readonly stop: AbortSignal;
  readonly log: (line: string) => void;
}

/** Loads files as they appear, until it is stopped. A failure of a store is logged, and tried again. */
export async function watchPlace(options: WatchOptions): Promise<void> {
  const { intervalMs, stop, log } = options;
  const settling = newSettling(options);
  while (!stop.aborted) {
    let pauseMs = intervalMs;
    try {
      const { settled, nextInMs } = await look(options, settling);
      pauseMs = Math.min(intervalMs, nextInMs);
      await loadDue(settled, false, options);
    } catch (error) {
      log(`${messagesOf(error)}; trying again in ${intervalMs / 1000} s`);
    }
    await pause(pauseMs, stop);
  }
}

/** Loads the files that are there and complete, also those that wait for another attempt. */
export async function loadOnce(options: WatchOptions): Promise<readonly LoadedFile[]> {
  const { settleMs, stop, log } = options;
  const settling = newSettling(options);
  let { settled, unsettled } = await look(options, settling);
  if ((await options.files.due(unsettled, true)).length > 0) {
    // A timer may fire a millisecond early.
    await pause(settleMs + 10, stop);
    ({ settled, unsettled } = await look(options, settling));
  }
  for (const { name } of await options.files.due(unsettled, true)) {
    log(`${name}: left out, because it is being written`);
  }
  return loadDue(settled, true, options);
}

function newSettling({ plan, settleMs }: WatchOptions): Settling {
  return new Settling(plan.place.isFolder ? settleMs : 0);
}

async function look({ plan, files }: WatchOptions, settling: Settling) {
  const startedMs = performance.now();
  const { place } = plan;
  const found = await place.list().catch((error: unknown) => {
    throw new Error(`${place.name} cannot be listed`, { cause: error });
  });
  files.keepOnly(found);
  return settling.look(found, { startedMs, endedMs: performance.now() });
}

async function loadDue(
  settled: readonly FoundFile[],
  includesRetries: boolean,
  options: WatchOptions,
): Promise<readonly LoadedFile[]> {
  const { plan, files, stop, log } = options;
  const job = {
    due: async () => {
      const due = await files.due(settled, includesRetries);
      // Is ClickHouse reachable? Its failure must not count as that of each file.
      if (due.length > 0) await queryRows(plan.clickhouse, 'SELECT 1');
      return due;
    },
    claim: files.claim,
    run: (file: FoundFile) => loadClaimed(file, options),
    onBusy: ({ name }: FoundFile) => log(`${name}: another watcher is loading it`),
  };
  return (await doDue(job, stop)).filter((file) => file !== undefined);
}

async function loadClaimed(
  file: FoundFile,
  { plan, files, log }: WatchOptions,
): Promise<LoadedFile | undefined> {
  const startedMs = performance.now();
  const ended = await files.load(file, async (isRepeated) => {
    if (isRepeated) log(`${file.name}: repeated, because an earlier load was interrupted`);
    const loaded = await loadFoundFile(file, plan);
    if (loaded === undefined) log(`${file.name}: changed or removed after it was found`);
    return loaded;
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (ended !== undefined) for (const line of describe(ended, seconds)) log(line);
  return ended;
}

/** `httpget/day.csv: loaded: 1486 rows read: 1480 rows loaded, 6 rejected (…), in 3.2 s`, and its details. */
function describe({ status, outcome }: LoadedFile, seconds: string): readonly string[] {
  const name = `${outcome.file}: ${status}`;
  if (outcome.status !== 'loaded') {
    const next = status === 'retrying' ? 'tried again later' : 'not tried again until it changes';
    return [`${name}: ${outcome.reason}; ${next}`];
  }
  const options = { isDryRun: false, isOfRelease: true };
  const [first, ...details] = describeLoad(outcome, options);
  return [`${name}: ${first}, in ${seconds} s`, ...details.map((line) => `  ${line}`)];
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Tells files that are complete from those that are being written: their size and modification time did
 * not change for the settle time. Measured by our own clock: that of a file server may differ.
 */
export class Settling {
  readonly #settleMs: number;
  #seen: ReadonlyMap<string, Seen> = new Map();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** The complete files, and how long until the next one may be complete; Infinity: there is no other file. */
  look(found: readonly FoundFile[], look: Look) {
    const sinceMs = ({ name, version }: FoundFile) => {
      const before = this.#seen.get(name);
      return before?.version === version ? before.sinceMs : look.endedMs;
    };
    const seen = found.map((file) => ({ file, sinceMs: sinceMs(file) }));
    this.#seen = new Map(
      seen.map(({ file, sinceMs: at }) => [file.name, { version: file.version, sinceMs: at }]),
    );
    const leftMs = (since: number) =>
      this.#settleMs === 0 ? 0 : since + this.#settleMs - look.startedMs;
    const waiting = seen.filter(({ sinceMs: at }) => leftMs(at) > 0);
    return {
      settled: seen.filter(({ sinceMs: at }) => leftMs(at) <= 0).map(({ file }) => file),
      unsettled: waiting.map(({ file }) => file),
      nextInMs: waiting.reduce((least, { sinceMs: at }) => Math.min(least, leftMs(at)), Infinity),
    };
  }
}

interface Seen {
  readonly version: string;
  readonly sinceMs: number;
}

/** When the place was listed. */
interface Look {
  readonly startedMs: number;
  readonly endedMs: number;
}
