import type { Knex } from 'knex';
import { copyRows, type CopyTables } from '../agents/copy-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import type { Stores } from '../../shared/stores.ts';

export interface WeightReplicates {
  readonly organisationId: number;
  readonly key: string;
  readonly validFromUtc: Date;
  /** 0: none, so that those of earlier weights end. */
  readonly count: number;
  readonly factors: readonly ReplicateFactors[];
}

interface ReplicateFactors {
  readonly agentKey: number;
  /** The weight in each replicate, divided by the weight. */
  readonly factors: readonly number[];
}

const rowsPerInsert = 1_000;

/** Replaces the replicates of a field from a time on. */
export async function storeReplicates(
  transaction: Knex.Transaction,
  { organisationId, key, validFromUtc, count, factors }: WeightReplicates,
): Promise<void> {
  const current = { organisation_id: organisationId, key, superseded_at: null };
  await transaction('weight_replicates')
    .where(current)
    .where('valid_from', '>=', validFromUtc)
    .update({ superseded_at: transaction.fn.now() });
  const earlier: unknown = await transaction('weight_replicates').where(current).first('id');
  if (count === 0 && earlier === undefined) return;
  const [set] = await transaction('weight_replicates')
    .insert({
      organisation_id: organisationId,
      key,
      valid_from: validFromUtc,
      replicate_count: count,
    })
    .returning<{ id: number }[]>('id');
  await transaction.batchInsert(
    'weight_replicate_factors',
    factors.map((one) => ({
      organisation_id: organisationId,
      replicates_id: set?.id,
      agent_key: one.agentKey,
      factors: one.factors,
    })),
    rowsPerInsert,
  );
}

const copies: CopyTables = {
  rows: 'weight_replicate',
  copies: 'weight_replicate_copy',
  columns: ['agent_key', 'valid_from', 'factors'],
  of: 'replicate weights of',
};

/** Copies the current replicates of a field from Postgres to ClickHouse. Returns the number of households. */
export async function copyReplicates(
  stores: Stores,
  organisationId: number,
  key: string,
): Promise<number> {
  return stores.database.transaction(async (transaction) => {
    await waitForLock(transaction, lockTable.weightReplicates(organisationId, key));
    const rows = await currentFactors(transaction, organisationId, key);
    await copyRows(stores, copies, {
      organisationId,
      name: key,
      rows:
        rows.length === 0 ? undefined : rows.map((row) => [row.agentKey, row.from, row.factors]),
    });
    return new Set(rows.map(({ agentKey }) => agentKey)).size;
  });
}

/** The fields that have or had replicates. */
export async function replicatedKeys(
  database: Database,
  organisationId: number,
): Promise<readonly string[]> {
  return database('weight_replicates')
    .where({ organisation_id: organisationId })
    .distinct()
    .orderBy('key')
    .pluck<string[]>('key');
}

/** An agent that a later set does not have gets an empty list there, which ends the earlier one. */
async function currentFactors(
  transaction: Knex.Transaction,
  organisationId: number,
  key: string,
): Promise<readonly (ReplicateFactors & { readonly from: number })[]> {
  const { rows } = await transaction.raw<{
    rows: (ReplicateFactors & { readonly from: number })[];
  }>(
    `with sets as (
       select id, valid_from from weight_replicates
       where organisation_id = :organisationId and key = :key and superseded_at is null
     )
     select a.agent_key as "agentKey", extract(epoch from s.valid_from)::bigint as "from",
            coalesce(f.factors, '{}') as factors
     from sets s
       cross join (
         select distinct agent_key from weight_replicate_factors
         where replicates_id in (select id from sets)
       ) as a
       left join weight_replicate_factors f on f.replicates_id = s.id and f.agent_key = a.agent_key`,
    { organisationId, key },
  );
  return rows;
}
