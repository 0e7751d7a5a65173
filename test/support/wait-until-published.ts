import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { readMetadataVersions } from '../../services/registry/versions/metadata-versions.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until queries use all metadata and agents of an organisation. */
export async function waitUntilPublished(
  database: Database,
  organisationId: number,
): Promise<void> {
  await waitUntil(async () => {
    const { current, published } = await readMetadataVersions(database, organisationId);
    return published === current;
  }, publishTimeoutMs);
}

/** 100,000 agents take half a minute, and longer on a busy machine. */
const publishTimeoutMs = 300_000;
