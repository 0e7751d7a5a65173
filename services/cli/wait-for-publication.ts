import { awaitPublication, isPublisherConnected } from '../registry/versions/metadata-versions.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { ProgressLine } from '../shared/progress-line.ts';
import type { OptionValues } from './arguments.ts';
import { wholeNumber } from '../shared/errors/usage-error.ts';
import { printNote } from './print.ts';

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

/** How long to wait; 0: not at all. Checked before the command starts its work. */
export function parseWait(options: OptionValues<typeof waitOptions>): number {
  const seconds = wholeNumber(options['wait-seconds'], 'wait-seconds');
  return options['no-wait'] ? 0 : seconds * 1000;
}

/** Waits until queries use all changes up to now. Returns the exit code. */
export async function waitForPublication(
  database: Database,
  organisationId: number,
  timeoutMs: number,
): Promise<number> {
  const progress = new ProgressLine('metadata');
  const ended = await awaitPublication(database, organisationId, timeoutMs, (versions, ms) =>
    progress.show(
      undefined,
      () =>
        `waiting until queries use version ${versions.current}, not ${versions.published} (${inSeconds(ms)})`,
    ),
  );
  progress.end();
  const { current, published, waitedMs } = ended;
  if (published >= current) {
    if (waitedMs > 0) {
      printNote(`queries use metadata version ${current}, after a wait of ${inSeconds(waitedMs)}`);
    }
    return 0;
  }
  if (timeoutMs === 0) {
    printNote(
      `not waiting: queries use metadata version ${published} until ${current} is published`,
    );
    return 0;
  }
  const advice = (await isPublisherConnected(database))
    ? 'The metadata service is connected to Postgres: its log and readiness show why it is late.'
    : 'No metadata service is connected to this Postgres database: start it, because it publishes the metadata.';
  printNote(
    `Everything is stored, but after ${inSeconds(timeoutMs)} queries still use metadata version ${published}, ` +
      `not ${current}. ${advice} Running the command again changes nothing, and waits again.`,
  );
  return lateExitCode;
}

/** The exit code of a load matters more than a late publication. */
export async function waitAfterLoad(
  exitCode: number,
  database: Database,
  organisationId: number,
  timeoutMs: number,
): Promise<number> {
  const lateCode = await waitForPublication(database, organisationId, timeoutMs);
  return exitCode === 0 ? lateCode : exitCode;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
