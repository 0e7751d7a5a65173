import { importAgents } from '../../metadata/history/import-agents.ts';
import { OverwrittenHistory } from '../../metadata/history/overwritten-history.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { readCustomLimits } from '../config.ts';
import type { UnitProfile } from './read-unit-profile.ts';

interface ImportProfileOptions {
  readonly organisationId: number;
  /** Start of the release; null: unknown. */
  readonly fromUtc: Date | null;
  readonly mayRewrite: boolean;
}

/** Sets the metadata of the units from the start of the release on. Returns a line for the report. */
export async function importProfile(
  database: Database,
  { path, records }: UnitProfile,
  { organisationId, fromUtc, mayRewrite }: ImportProfileOptions,
): Promise<string> {
  const units = `${records.length} units in the profile`;
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
    throw new Error(overwriteMessage(error, fromUtc), { cause: error });
  }
}

function overwriteMessage({ agents, recordedFrom }: OverwrittenHistory, from: Date | null): string {
  const start = from === null ? 'for all time' : `from ${isoDay(from)} on`;
  const recorded = recordedFrom === null ? 'recorded' : `recorded from ${isoDay(recordedFrom)} on`;
  return (
    `The profile, ${start}, would replace values that are ${recorded} for ${agents} units. ` +
    'Nothing was changed or loaded. Use --from for another start, --rewrite to replace them, or leave ' +
    'out --profile to load only the results.'
  );
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
