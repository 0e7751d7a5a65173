import { importAgents } from '../../metadata/history/import-agents.ts';
import { OverwrittenHistory } from '../../metadata/history/overwritten-history.ts';
import type { AgentRecord } from '../../registry/agent-record.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { readCustomLimits } from '../config.ts';

/** A file that describes agents from a time on, such as the unit profile of a release. */
interface AgentRelease {
  readonly path: string;
  readonly records: readonly AgentRecord[];
  /** For messages: `profile`. */
  readonly title: string;
  /** What to do if the file would replace recorded values. */
  readonly advice: string;
}

export interface ImportReleaseOptions {
  readonly organisationId: number;
  /** Start of the release; null: unknown. */
  readonly fromUtc: Date | null;
  readonly mayRewrite: boolean;
}

/** Sets the metadata of the units from the start of the release on. Returns a line for the report. */
export async function importRelease(
  database: Database,
  release: AgentRelease,
  { organisationId, fromUtc, mayRewrite }: ImportReleaseOptions,
): Promise<string> {
  const { path, records, title } = release;
  const units = `${records.length} units in the ${title}`;
  try {
    const result = await importAgents(database, {
      organisationId,
      records,
      validFromUtc: fromUtc,
      source: path,
      limits: readCustomLimits(),
      release: { mayRewrite },
    });
    return (
      `${units}: ${result.agentsAdded} added, metadata of ${result.historiesChanged} changed, ` +
      `${result.packagesAdded} packages added`
    );
  } catch (error) {
    if (!(error instanceof OverwrittenHistory)) throw error;
    if (error.isApplied) return `${units}: applied before; the values of later releases are kept`;
    throw new Error(overwriteMessage(error, release, fromUtc), { cause: error });
  }
}

function overwriteMessage(
  { agents, recordedFrom }: OverwrittenHistory,
  { title, advice }: AgentRelease,
  from: Date | null,
): string {
  const start = from === null ? 'for all time' : `from ${isoDay(from)} on`;
  const recorded = recordedFrom === null ? 'recorded' : `recorded from ${isoDay(recordedFrom)} on`;
  return (
    `The ${title}, ${start}, would replace values that are ${recorded} for ${agents} units. ` +
    `Nothing was changed or loaded. ${advice}`
  );
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
