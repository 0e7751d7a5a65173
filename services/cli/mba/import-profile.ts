import { readFileSync } from 'node:fs';
import type { AgentRecord } from '../../registry/agent-record.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { importRelease, type ImportReleaseOptions } from '../agents/import-release.ts';
import { detectEncoding } from '../load/input/text-encoding.ts';
import { parseUnitProfile } from './unit-profile.ts';

export interface UnitProfile {
  readonly path: string;
  readonly records: readonly AgentRecord[];
}

export function readUnitProfile(path: string): UnitProfile {
  const bytes = readFileSync(path);
  try {
    const text = new TextDecoder(detectEncoding(bytes, true)).decode(bytes);
    return { path, records: parseUnitProfile(text) };
  } catch (error) {
    throw new Error(`${path} cannot be read as a unit profile`, { cause: error });
  }
}

/** Sets the metadata of the units from the start of the release on. Returns a line for the report. */
export function importProfile(
  database: Database,
  profile: UnitProfile,
  options: ImportReleaseOptions,
): Promise<string> {
  const release = { ...profile, title: 'profile', advice: profileAdvice };
  return importRelease(database, release, options);
}

const profileAdvice =
  'Use --from for another start, --rewrite to replace them, or leave out --profile to load only the results.';
