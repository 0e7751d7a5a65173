import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** The custom keys that are weights of households: netpanel weights rake or a preset has written them. */
export async function weightKeysOf(
  database: Database,
  organisationId: number,
): Promise<readonly string[]> {
  return database('custom_keys')
    .where({ organisation_id: organisationId, is_weight: true })
    .orderBy('key')
    .pluck<string[]>('key');
}
