import { setTimeout as sleep } from 'node:timers/promises';
import { readMetadataVersions } from '../registry/versions/metadata-versions.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { type OptionValues, wholeNumber } from './arguments.ts';
import { ProgressLine } from '../shared/progress-line.ts';

const pollMs = 200;
/** 100,000 agents take half a minute, and longer on a busy machine. */
const defaultWaitSeconds = '120';
/** The exit code if everything is stored, and only the publication is late. */
const lateExitCode = 6;

/** Options of commands that change metadata. */
export const waitOptions = {
  'no-wait': { type: 'boolean', default: false },
  'wait-seconds': { type: 'string', default: defaultWaitSeconds },
} as const;

export const waitUsage = `Waits until queries use the new metadata, which the metadata service publishes. The exit code is 6 if that takes
longer than --wait-seconds: everything is stored, and queries use it when it is published.`;

/** Checked before the command starts its work. */
export function parseWait(options: OptionValues<typeof waitOptions>): PublicationWait {
  const seconds = wholeNumber(options['wait-seconds'], 'wait-seconds');
  return { timeoutMs: options['no-wait'] ? 0 : seconds * 1000 };
}

export interface PublicationWait {
  /** 0: do not wait. */
  readonly timeoutMs: number;
}

/** Waits until queries use all changes up to now. Returns the exit code. */
export async function waitForPublication(
  database: Database,
  organisationId: number,
  { timeoutMs }: PublicationWait,
): Promise<number> {
  const startedMs = performance.now();
  const progress = new ProgressLine('metadata');
  const { current: version, ...first } = await readMetadataVersions(database, organisationId);
  let { published } = first;
  if (published >= version) return 0;
  if (timeoutMs === 0) {
    report(`not waiting: queries use metadata version ${published} until ${version} is published`);
    return 0;
  }
  while (published < version) {
    const waitedMs = performance.now() - startedMs;
    if (waitedMs >= timeoutMs) {
      progress.end();
      report(await lateMessage(database, version, published, timeoutMs));
      return lateExitCode;
    }
    progress.show(
      undefined,
      () =>
        `waiting until queries use version ${version}, not ${published} (${inSeconds(waitedMs)})`,
    );
    await sleep(pollMs);
    ({ published } = await readMetadataVersions(database, organisationId));
  }
  progress.end();
  const waited = inSeconds(performance.now() - startedMs);
  report(`queries use metadata version ${version}, after a wait of ${waited}`);
  return 0;
}

/** The exit code of a load matters more than a late publication. */
export async function waitAfterLoad(
  exitCode: number,
  database: Database,
  organisationId: number,
  wait: PublicationWait,
): Promise<number> {
  const lateCode = await waitForPublication(database, organisationId, wait);
  return exitCode === 0 ? lateCode : exitCode;
}

// Standard output has only the result of the command, for scripts.
function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function lateMessage(
  database: Database,
  version: number,
  published: number,
  timeoutMs: number,
): Promise<string> {
  const advice = (await isServiceConnected(database))
    ? 'The metadata service is connected to Postgres: its log and readiness show why it is late.'
    : 'No metadata service is connected to this Postgres database: start it, because it publishes the metadata.';
  return (
    `Everything is stored, but after ${inSeconds(timeoutMs)} queries still use metadata version ${published}, ` +
    `not ${version}. ${advice} Running the command again changes nothing, and waits again.`
  );
}

/** The service queries Postgres every second, so that it always has a connection. */
async function isServiceConnected(database: Database): Promise<boolean> {
  const { rows } = await database.raw<{ rows: [{ found: boolean }] }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and application_name like 'netpanel-metadata-%'
     ) as found`,
  );
  return rows[0].found;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
