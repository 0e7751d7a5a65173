import type { Knex } from 'knex';
import { compareCopies, copyRows, type CopiedName, type CopyTables } from '../agents/copy-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import type { Stores } from '../../shared/stores.ts';

export interface WeightReplicates {
  readonly organisationId: number;
  readonly key: string;
  /** When those of the first household begin. */
  readonly validFromUtc: Date;
  /** 0: none, so that those of earlier weights end. */
  readonly count: number;
  readonly factors: readonly (ReplicateFactors & { readonly fromUtc: Date })[];
}

interface ReplicateFactors {
  readonly agentKey: number;
  /** The weight in each replicate, divided by the weight; empty without replicates. */
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
      valid_from: one.fromUtc,
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
    const { rows } = await transaction.raw<{ rows: CurrentFactors[] }>(
      `select agent_key as "agentKey", extract(epoch from valid_from)::bigint as "from", factors
       from (${currentFactors}) as f where organisation_id = :organisationId and key = :key`,
      { organisationId, key },
    );
    await copyRows(stores, copies, {
      organisationId,
      name: key,
      rows:
        rows.length === 0 ? undefined : rows.map((row) => [row.agentKey, row.from, row.factors]),
    });
    return new Set(rows.map(({ agentKey }) => agentKey)).size;
  });
}

interface CurrentFactors extends ReplicateFactors {
  readonly from: number;
}

/**
 * An agent that a later set does not have gets an empty list there, which ends the earlier one. A set that begins on a day
 * may begin later for some agents than the next set, which begins at a time: the later set counts.
 */
const currentFactors = `
  select * from (
    select s.organisation_id, s.key, s.id, a.agent_key, coalesce(f.factors, '{}') as factors,
           coalesce(f.valid_from, s.valid_from) as valid_from,
           min(coalesce(f.valid_from, s.valid_from)) over later as replaced_at
    from weight_replicates s
      join (
        select distinct s.organisation_id, s.key, f.agent_key
        from weight_replicate_factors f join weight_replicates s on s.id = f.replicates_id
        where s.superseded_at is null
      ) as a using (organisation_id, key)
      left join weight_replicate_factors f on f.replicates_id = s.id and f.agent_key = a.agent_key
    where s.superseded_at is null
    window later as (
      partition by s.organisation_id, s.key, a.agent_key order by s.id
      rows between 1 following and unbounded following)
  ) as sets
  where replaced_at is null or valid_from < replaced_at`;

/** Compares the replicate weights in Postgres with their copies in ClickHouse. Throws with the fields that differ. */
export async function compareReplicates(stores: Stores): Promise<string> {
  const { rows } = await stores.database.raw<{ rows: CopiedName[] }>(
    `select f.organisation_id as "organisationId", o.name as organisation, f.key as name,
            concat_ws(' ', count(*), sum(agent_key), sum(extract(epoch from valid_from)::bigint),
              sum((select coalesce(round(sum(factor) * 1000), 0) from unnest(factors) as factor))::bigint) as hash
     from (${currentFactors}) as f join organisations o on o.id = f.organisation_id
     group by f.organisation_id, o.name, f.key`,
  );
  await compareCopies(
    stores,
    copies,
    rows,
    `concat(toString(count()), ' ', toString(sum(agent_key)), ' ', toString(sum(toUnixTimestamp(valid_from))), ' ',
  toString(toInt64(sum(round(arraySum(factors) * 1000)))))`,
  );
  return `those of ${rows.length} fields, the same in both databases`;
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
