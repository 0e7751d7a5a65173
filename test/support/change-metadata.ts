import { type AppliedChange, applyChange } from '../../services/metadata/history/apply-change.ts';
import { parseMetadataChange } from '../../services/metadata/request/parse-metadata-change.ts';
import { customLimitSettings } from '../../services/registry/organisations/custom-limits.ts';
import { findPackage } from '../../services/registry/organisations/packages.ts';
import { readSettings } from '../../services/shared/config/read-settings.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import type { Tenant } from './tenant.ts';

/** A PUT /metadata without the HTTP service, at the time the test chooses. */
export async function changeMetadata(
  database: Database,
  { organisationId, name }: Tenant,
  body: object,
  now = new Date(),
): Promise<AppliedChange> {
  const token = await database('api_tokens')
    .where({ organisation_id: organisationId, interface: 'metadata' })
    .first<{ id: number }>('id');
  const caller = {
    organisationId,
    organisationName: name,
    tokenId: token.id,
    scopes: [],
    minAgents: 0,
  };
  const limits = readSettings(customLimitSettings, {});
  const change = await parseMetadataChange(
    body,
    now,
    (name) => findPackage(database, organisationId, name),
    limits,
  );
  return applyChange(database, change, { caller, body, now, limits });
}
