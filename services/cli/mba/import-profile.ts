import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { importRelease, type ImportReleaseOptions } from '../agents/import-release.ts';
import type { UnitProfile } from './read-unit-profile.ts';

/** Imports the profile as a release. Returns a line for the report. */
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
