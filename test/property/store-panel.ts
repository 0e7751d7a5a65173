import type { Knex } from 'knex';
import { testNames, type Agent, type Panel, type Period, type Row } from '../reference/panel.ts';
import {
  copyReplicates,
  storeReplicates,
} from '../../services/registry/weights/weight-replicates.ts';
import { groupBy } from '../reference/group-by.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { recordHistory } from '../support/record-history.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../support/tenant.ts';
import { packagesByIsp } from './random-history.ts';

/** Stores a panel as a new organisation and waits until its metadata is published. */
export async function storePanel(
  stack: LocalStack,
  panel: Panel,
  writeHistory: WriteHistory = storeHistory,
): Promise<Tenant> {
  const tenant = await newTenant(stack.database);
  await addPackages(stack.database, tenant.organisationId, packagesByIsp);
  const agentKeys = new Map<Agent, number>();
  for (const agent of panel.agents) {
    const { agentId, unitId, kind, base } = agent;
    const key = await addAgent(stack.database, tenant.organisationId, {
      agentId,
      kind,
      base,
      ...(unitId === null ? {} : { unitId }),
      ...(agent.country === null ? {} : { country: agent.country }),
    });
    agentKeys.set(agent, key);
  }
  await writeHistory(stack, tenant.organisationId, agentKeys);
  await storeReplicatesOf(stack, tenant.organisationId, agentKeys);
  await storeRows(stack, tenant.organisationId, panel, agentKeys);
  return tenant;
}

/** Writes the history of the agents and waits until it is published. */
type WriteHistory = (
  stack: LocalStack,
  organisationId: number,
  agentKeys: ReadonlyMap<Agent, number>,
) => Promise<void>;

const storeHistory: WriteHistory = async ({ database }, organisationId, agentKeys) => {
  await recordHistory(database, organisationId, async (transaction, changeId) => {
    const recordedAt = new Date();
    for (const [agent, agentKey] of agentKeys) {
      for (const period of agent.history) {
        const ids = { agentKey, organisationId, changeId };
        await insertPeriod(transaction, { ...ids, period, recordedAt });
      }
    }
  });
};

async function storeReplicatesOf(
  { database, clickhouse }: LocalStack,
  organisationId: number,
  agentKeys: ReadonlyMap<Agent, number>,
): Promise<void> {
  const all = [...agentKeys].flatMap(([{ replicates = [] }, agentKey]) =>
    replicates.map(({ fromUtcS, factors }) => ({ agentKey, fromUtcS, factors })),
  );
  const starts = [...groupBy(all, ({ fromUtcS }) => String(fromUtcS)).values()].toSorted(
    ([a], [b]) => a!.fromUtcS - b!.fromUtcS,
  );
  for (const own of starts) {
    const fromUtc = new Date(own[0]!.fromUtcS * 1000);
    await database.transaction((transaction) =>
      storeReplicates(transaction, {
        organisationId,
        key: 'weight',
        validFromUtc: fromUtc,
        count: own[0]!.factors.length,
        factors: own.map(({ agentKey, factors }) => ({ agentKey, fromUtc, factors })),
      }),
    );
  }
  if (starts.length === 0) return;
  await copyReplicates({ database, clickhouse, cluster: '' }, organisationId, 'weight');
}

interface StoredPeriod {
  readonly agentKey: number;
  readonly organisationId: number;
  readonly changeId: number;
  readonly period: Period;
  readonly recordedAt: Date;
  /** Not given: it is current. */
  readonly superseded?: { readonly at: Date; readonly changeId: number };
}

/** Writes a period as it was recorded, bypassing the metadata service. */
export async function insertPeriod(
  transaction: Knex.Transaction,
  { period, superseded, ...columns }: StoredPeriod,
): Promise<void> {
  await transaction.raw(insertStatement, {
    ...period,
    ...columns,
    custom: JSON.stringify(period.custom),
    supersededAt: superseded?.at ?? null,
    supersededBy: superseded?.changeId ?? null,
  });
}

const insertStatement = `
  insert into agent_metadata
    (agent_key, organisation_id, valid, isp_id, package_id, timezone, custom, recorded_at, recorded_by,
     superseded_at, superseded_by)
  select :agentKey, :organisationId,
         tstzrange(to_timestamp(:fromUtcS::float8), to_timestamp(:untilUtcS::float8), '[)'),
         i.id, p.id, :timezone, :custom::jsonb, :recordedAt, :changeId,
         :supersededAt::timestamptz, :supersededBy::bigint
  from (values (1)) as one
    left join isps i on i.organisation_id = :organisationId and i.name = :isp
    left join packages p on p.isp_id = i.id and p.name = :packageName`;

async function storeRows(
  { clickhouse }: LocalStack,
  organisationId: number,
  panel: Panel,
  agentKeys: ReadonlyMap<Agent, number>,
): Promise<void> {
  for (const test of testNames) {
    const values = panel.rows[test].map((row) => ({
      organisation_id: organisationId,
      agent_key: agentKeys.get(row.agent),
      ...rowValues(row),
    }));
    // Two inserts, so that a resent row is in the same insert or in another one.
    const half = Math.ceil(values.length * 0.7);
    for (const part of [values.slice(0, half), values.slice(half)]) {
      if (part.length === 0) continue;
      await clickhouse.insert({ table: `test_${test}`, values: part, format: 'JSONEachRow' });
    }
  }
}

function rowValues({ agent, dtimeUtcMs, columns }: Row): Record<string, unknown> {
  return {
    base: agent.base,
    dtime: new Date(dtimeUtcMs).toISOString().slice(0, 23).replace('T', ' '),
    agent_id: agent.agentId,
    unit_id: agent.unitId,
    ...columns,
  };
}
