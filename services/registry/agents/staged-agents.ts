import type { Knex } from 'knex';
import type { AgentRecord } from './agent-record.ts';
import { erasedAgents, wasErased } from './erased-ids.ts';
import { normaliseId } from './normalise-id.ts';

const recordsPerInsert = 10_000;

/** Writes records to the temporary table staged_agents. Throws if an agent occurs twice. */
export async function stageAgents(
  transaction: Knex.Transaction,
  records: readonly AgentRecord[],
): Promise<void> {
  rejectDuplicates(records);
  await transaction.raw(`
    create temporary table staged_agents (
      agent_key bigint, agent_id text, agent_id_normalised text, unit_id bigint, mac_address text,
      kind text, base text, country text, isp text, package text, timezone text,
      custom jsonb not null, states_package boolean, states_timezone boolean,
      valid_from timestamptz
    ) on commit drop`);
  for (let at = 0; at < records.length; at += recordsPerInsert) {
    const rows = records.slice(at, at + recordsPerInsert).map((record) => ({
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
      states_package: record.statesPackage,
      states_timezone: record.statesTimezone,
      valid_from: record.validFromUtc,
    }));
    await transaction.raw(
      `insert into staged_agents
       select * from jsonb_populate_recordset(null::staged_agents, cast(? as jsonb))`,
      [JSON.stringify(rows)],
    );
  }
}

function rejectDuplicates(records: readonly AgentRecord[]): void {
  const seen = new Set<string>();
  for (const { agentId, unitId } of records) {
    const names = [
      ...(agentId === null ? [] : [`agent ${normaliseId(agentId)}`]),
      ...(unitId === null ? [] : [`unit ${unitId}`]),
    ];
    const duplicate = names.find((name) => seen.has(name));
    if (duplicate !== undefined) throw new Error(`${duplicate} is listed twice`);
    names.forEach((name) => seen.add(name));
  }
}

/** Throws if an agent was erased. */
export async function rejectErased(
  transaction: Knex.Transaction,
  organisationId: number,
  records: readonly AgentRecord[],
): Promise<void> {
  const [first] = await erasedAgents(transaction, organisationId, records);
  if (first === undefined) return;
  const [place, erasedAt] = first;
  const { agentId, unitId } = records[place] ?? {};
  throw new Error(wasErased(agentId == null ? `unit ${unitId}` : `agent ${agentId}`, erasedAt));
}

export interface RegisteredAgents {
  readonly agentsAdded: number;
  readonly agentsUpdated: number;
  readonly ispsAdded: number;
  readonly packagesAdded: number;
}

/** Adds or updates the staged agents, their ISPs and packages, and sets their agent_key. */
export async function registerStagedAgents(
  transaction: Knex.Transaction,
  organisationId: number,
): Promise<RegisteredAgents> {
  const run = async (sql: string): Promise<number> => {
    const { rowCount } = await transaction.raw<{ rowCount: number }>(sql, { organisationId });
    return rowCount;
  };
  const ispsAdded = await run(addIsps);
  const packagesAdded = await run(addPackages);
  await run(findByAgentId);
  await run(findByUnit);
  const agentsUpdated = await run(updateAgents);
  const agentsAdded = await run(addAgents);
  await run(findByAgentId);
  await run(findByUnit);
  return { agentsAdded, agentsUpdated, ispsAdded, packagesAdded };
}

const addIsps = `
  insert into isps (organisation_id, name)
  select distinct cast(:organisationId as integer), isp from staged_agents where isp is not null
  order by 2 on conflict do nothing`;

const addPackages = `
  insert into packages (isp_id, name)
  select distinct isp.id, s.package
  from staged_agents s
    join isps isp on isp.organisation_id = :organisationId and isp.name = s.isp
  where s.package is not null order by 1, 2 on conflict do nothing`;

const findByAgentId = `
  update staged_agents s set agent_key = a.id from agents a
  where a.organisation_id = :organisationId and a.agent_id_normalised = s.agent_id_normalised`;

// For records without a known agent_id.
const findByUnit = `
  update staged_agents s set agent_key = a.id from agents a
  where s.agent_key is null and a.organisation_id = :organisationId and a.unit_id = s.unit_id`;

const updateAgents = `
  update agents a set unit_id = new.unit_id, mac_address = new.mac_address, kind = new.kind,
    base = new.base, country = new.country
  from (
    select a.id, coalesce(s.unit_id, a.unit_id) as unit_id,
      coalesce(s.mac_address, a.mac_address) as mac_address, coalesce(s.kind, a.kind) as kind,
      coalesce(s.base, a.base) as base, coalesce(s.country, a.country) as country
    from staged_agents s join agents a on a.id = s.agent_key
  ) as new
  where a.organisation_id = :organisationId and a.id = new.id
    and (a.unit_id, a.mac_address, a.kind, a.base, a.country)
      is distinct from (new.unit_id, new.mac_address, new.kind, new.base, new.country)`;

const addAgents = `
  insert into agents (organisation_id, agent_id, unit_id, mac_address, kind, base, country)
  select :organisationId, coalesce(agent_id, unit_id::text), unit_id, mac_address,
    coalesce(kind, 'whitebox'), coalesce(base, ''), country
  from staged_agents where agent_key is null`;
