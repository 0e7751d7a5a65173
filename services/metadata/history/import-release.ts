import type { AgentRecord } from '../../registry/agents/agent-record.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { CustomLimits } from '../../registry/organisations/custom-limits.ts';
import { importAgents, type ImportResult, OverwrittenHistory } from './import-agents.ts';

/** A file that describes agents in a period, such as the unit profile of a release. */
interface AgentRelease {
  /** The name of the file, without its folder: clients read it. */
  readonly source: string;
  readonly records: readonly AgentRecord[];
  /** Custom fields that are weights. */
  readonly weights?: readonly string[];
  /** For messages: `profile`. */
  readonly title: string;
  /** For messages: what a row describes. */
  readonly agents?: 'units' | 'cells';
  /** What to do if the file would replace recorded values. */
  readonly advice: string;
}

interface ImportReleaseOptions {
  readonly organisationId: number;
  /** Start of the release; null: unknown. */
  readonly fromUtc: Date | null;
  readonly mayRewrite: boolean;
  readonly isDryRun: boolean;
  readonly limits: CustomLimits;
}

/**
 * Sets the metadata of the units from the start of the release until their next recorded change. Returns a line for
 * the report.
 */
export async function importRelease(
  database: Database,
  release: AgentRelease,
  { organisationId, fromUtc, mayRewrite, isDryRun, limits }: ImportReleaseOptions,
): Promise<string> {
  const { source, records, weights = [], title, agents = 'units' } = release;
  const units = `${records.length} ${agents} in the ${title}`;
  if (isDryRun) return `${units}, not imported in a dry run`;
  try {
    const result = await importAgents(database, {
      organisationId,
      records,
      validFromUtc: fromUtc,
      source,
      limits,
      weights,
      release: { mayRewrite },
    });
    return (
      `${units}: ${result.agentsAdded} added, metadata of ${result.historiesChanged} changed` +
      `${clearedFields(result)}, ${result.packagesAdded} packages added`
    );
  } catch (error) {
    if (!(error instanceof OverwrittenHistory)) throw error;
    throw new Error(overwriteMessage(error, release, fromUtc), { cause: error });
  }
}

/** For a summary: `, 3 fields cleared`; empty if none was. */
export function clearedFields({ fieldsCleared }: ImportResult): string {
  return fieldsCleared === 0 ? '' : `, ${fieldsCleared} fields cleared`;
}

function overwriteMessage(
  { agents: count }: OverwrittenHistory,
  { title, agents = 'units', advice }: AgentRelease,
  from: Date | null,
): string {
  const recorded =
    from === null ? 'recorded' : `recorded from ${from.toISOString().slice(0, 10)} on`;
  return (
    `The ${title} would replace other values that are ${recorded} for ${count} ${agents}. ` +
    `Nothing was changed or loaded. ${advice}`
  );
}
