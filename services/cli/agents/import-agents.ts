import type { Knex } from 'knex';
import { lockHistory } from '../../metadata/history/lock-history.ts';
import { normaliseId } from '../../registry/normalise-id.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { AgentRecord } from './agent-record.ts';
import { importHistory } from './import-history.ts';

export interface ImportOptions {
  readonly database: Database;
  readonly organisationId: number;
  readonly records: readonly AgentRecord[];
  /**
   * From when the values hold for agents that have a history; null is from the beginning of time.
   * An agent without one had these values as long as we know.
   */
  readonly validFromUtc: Date | null;
  /** What the history is to say of where this came from. */
  readonly source: string;
}

export interface ImportResult {
  readonly agentsAdded: number;
  readonly agentsUpdated: number;
  /** Agents whose history changed. */
  readonly historiesChanged: number;
  readonly ispsAdded: number;
  readonly packagesAdded: number;
}

/** Registers agents and sets their metadata, all or none. A second time changes nothing. */
export async function importAgents(options: ImportOptions): Promise<ImportResult> {
  const { database, organisationId, records } = options;
  refuseTwice(records);
  const result = await database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    await stageRecords(transaction, records);
    const { ispsAdded, packagesAdded } = await addPackages(transaction, organisationId);
    await findAgents(transaction, organisationId);
    const agentsUpdated = await updateAgents(transaction);
    const agentsAdded = await addAgents(transaction, organisationId);
    const historiesChanged = await importHistory(transaction, options);
    return { agentsAdded, agentsUpdated, historiesChanged, ispsAdded, packagesAdded };
  });
  // Until Postgres has counted again, it plans a change of all the new agents as one of a few.
  await database.raw('analyze agents, agent_metadata');
  return result;
}

function refuseTwice(records: readonly AgentRecord[]): void {
  const seen = new Set<string>();
  for (const { agentId, unitId } of records) {
    const names = [
      ...(agentId === null ? [] : [`agent ${normaliseId(agentId)}`]),
      ...(unitId === null ? [] : [`unit ${unitId}`]),
    ];
    const twice = names.find((name) => seen.has(name));
    if (twice !== undefined) throw new Error(`${twice} is listed twice`);
    names.forEach((name) => seen.add(name));
  }
}

async function stageRecords(
  transaction: Knex.Transaction,
  records: readonly AgentRecord[],
): Promise<void> {
  await transaction.raw(`
    create temporary table imported_agents (
      agent_key bigint, agent_id text, agent_id_normalised text, unit_id bigint, mac_address text,
      kind text, base text, country text, isp text, package text, timezone text, custom jsonb not null
    ) on commit drop`);
  for (let at = 0; at < records.length; at += recordsAtOnce) {
    const rows = records.slice(at, at + recordsAtOnce).map((record) => ({
      agent_id: record.agentId,
      agent_id_normalised: record.agentId === null ? null : normaliseId(record.agentId),
      unit_id: record.unitId,
      mac_address: record.macAddress,
      kind: record.kind,
      base: record.base,
      country: record.country,
      isp: record.isp,
      package: record.packageName,
      timezone: record.timezone,
      custom: record.custom,
    }));
    await transaction.raw(
      `insert into imported_agents
       select * from jsonb_populate_recordset(null::imported_agents, cast(? as jsonb))`,
      [JSON.stringify(rows)],
    );
  }
}

const recordsAtOnce = 10_000;

async function addPackages(
  transaction: Knex.Transaction,
  organisationId: number,
): Promise<{ ispsAdded: number; packagesAdded: number }> {
  const ispsAdded = await rowCount(
    transaction,
    `insert into isps (organisation_id, name)
     select distinct cast(:organisationId as integer), isp from imported_agents where isp is not null
     order by 2 on conflict do nothing`,
    { organisationId },
  );
  const packagesAdded = await rowCount(
    transaction,
    `insert into packages (isp_id, name)
     select distinct s.id, i.package
     from imported_agents i
       join isps s on s.organisation_id = :organisationId and s.name = i.isp
     where i.package is not null order by 1, 2 on conflict do nothing`,
    { organisationId },
  );
  return { ispsAdded, packagesAdded };
}

/** By agent_id, punctuation and case aside; by unit where the file has no agent_id that is known. */
async function findAgents(transaction: Knex.Transaction, organisationId: number): Promise<void> {
  await transaction.raw(
    `update imported_agents i set agent_key = a.id from agents a
     where a.organisation_id = :organisationId
       and a.agent_id_normalised = i.agent_id_normalised`,
    { organisationId },
  );
  await transaction.raw(
    `update imported_agents i set agent_key = a.id from agents a
     where i.agent_key is null and a.organisation_id = :organisationId and a.unit_id = i.unit_id`,
    { organisationId },
  );
}

async function updateAgents(transaction: Knex.Transaction): Promise<number> {
  return rowCount(
    transaction,
    `update agents a set unit_id = new.unit_id, mac_address = new.mac_address, kind = new.kind,
       base = new.base, country = new.country
     from (
       select a.id, coalesce(i.unit_id, a.unit_id) as unit_id,
         coalesce(i.mac_address, a.mac_address) as mac_address, coalesce(i.kind, a.kind) as kind,
         coalesce(i.base, a.base) as base, coalesce(i.country, a.country) as country
       from imported_agents i join agents a on a.id = i.agent_key
     ) as new
     where a.id = new.id and (a.unit_id, a.mac_address, a.kind, a.base, a.country)
       is distinct from (new.unit_id, new.mac_address, new.kind, new.base, new.country)`,
    {},
  );
}

async function addAgents(transaction: Knex.Transaction, organisationId: number): Promise<number> {
  const added = await rowCount(
    transaction,
    `insert into agents (organisation_id, agent_id, unit_id, mac_address, kind, base, country)
     select :organisationId, coalesce(agent_id, unit_id::text), unit_id, mac_address,
       coalesce(kind, 'whitebox'), coalesce(base, ''), country
     from imported_agents where agent_key is null`,
    { organisationId },
  );
  await findAgents(transaction, organisationId);
  return added;
}

async function rowCount(
  transaction: Knex.Transaction,
  sql: string,
  bindings: Readonly<Record<string, number>>,
): Promise<number> {
  const result = await transaction.raw<{ rowCount: number }>(sql, bindings);
  return result.rowCount;
}
