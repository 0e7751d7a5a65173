import type { Knex } from 'knex';
import type { CustomLimits } from '../../registry/organisations/custom-limits.ts';

/** The custom data that a change has written, before its transaction commits. */
interface WrittenCustom {
  readonly organisationId: number;
  /** All keys of the change. */
  readonly keys: readonly string[];
  /** Size of the largest custom data that grew beyond the limit; null: none did. */
  readonly customBytes: number | null;
}

/**
 * Records the keys of a change, and describes the limit that it exceeds; undefined: none. The caller
 * holds the organisation's lock, and rolls back if a limit is exceeded.
 */
export async function checkCustom(
  transaction: Knex.Transaction,
  { organisationId, keys, customBytes }: WrittenCustom,
  { customMaxBytesPerAgent, customKeysMax }: CustomLimits,
): Promise<string | undefined> {
  if (customBytes !== null) {
    return `An agent would have ${customBytes} bytes of custom metadata. The maximum is ${customMaxBytesPerAgent}.`;
  }
  const added = await transaction.raw<{ rowCount: number }>(
    `insert into custom_keys (organisation_id, key)
     select :organisationId, key from jsonb_array_elements_text(cast(:keys as jsonb)) as new (key)
     on conflict do nothing`,
    { organisationId, keys: JSON.stringify(keys) },
  );
  const countKeys = async () => {
    const { rows } = await transaction.raw<{ rows: [{ count: number }] }>(
      'select count(*) from custom_keys where organisation_id = ?',
      [organisationId],
    );
    return rows[0].count;
  };
  if (added.rowCount === 0 || (await countKeys()) <= customKeysMax) return undefined;
  // Removes unused keys. Reads all agents of the organisation, so only when the limit is reached.
  await transaction.raw(
    `delete from custom_keys
     where organisation_id = :organisationId and key not in (
       select jsonb_object_keys(custom) from agent_metadata
       where organisation_id = :organisationId and superseded_at is null)`,
    { organisationId },
  );
  const count = await countKeys();
  return count <= customKeysMax
    ? undefined
    : `Your organisation would have ${count} custom metadata keys. The maximum is ${customKeysMax}.`;
}
