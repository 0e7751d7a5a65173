import type { AgentRecord } from '../../registry/agents/agent-record.ts';
import { type CustomLimits, longFieldProblem } from '../../registry/organisations/custom-limits.ts';
import {
  type RegisteredAgents,
  registerStagedAgents,
  rejectErased,
  stageAgents,
} from '../../registry/agents/staged-agents.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { checkCustom } from './check-custom.ts';
import { lockHistory } from '../../registry/versions/lock-history.ts';
import { customBytes, rewriteHistory } from './rewrite-history.ts';

export interface ImportOptions {
  readonly organisationId: number;
  readonly records: readonly AgentRecord[];
  /** Start of the validity for agents that have a history; null: no start. */
  readonly validFromUtc: Date | null;
  /** The name of the file, recorded with the change. Clients read it: without the folder. */
  readonly source: string;
  readonly limits: CustomLimits;
  /** Custom fields that are weights of households: listings mark them. */
  readonly weights?: readonly string[];
  /**
   * The file describes its agents from validFromUtc until their next recorded change. Unless `mayRewrite`, it
   * must not replace other values that are recorded from the same time on: throws OverwrittenHistory.
   */
  readonly release?: { readonly mayRewrite: boolean };
}

export interface ImportResult extends RegisteredAgents {
  /** Agents whose values changed. */
  readonly historiesChanged: number;
  /** Fields that had a value and have none now. */
  readonly fieldsCleared: number;
}

/** A release would replace other values that are recorded from its own start on. Nothing was changed. */
export class OverwrittenHistory extends Error {
  override readonly name = 'OverwrittenHistory';
  readonly agents: number;

  constructor(agents: number) {
    super(`values of ${agents} agents would be overwritten`);
    this.agents = agents;
  }
}

/** Registers agents and sets their metadata in one transaction. Idempotent. */
export async function importAgents(
  database: Database,
  { organisationId, records, validFromUtc, source, limits, weights = [], release }: ImportOptions,
): Promise<ImportResult> {
  rejectLongFields(records, limits);
  const result = await database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    await rejectErased(transaction, organisationId, records);
    await stageAgents(transaction, records);
    const registered = await registerStagedAgents(transaction, organisationId);
    const from = release === undefined ? undefined : validFromUtc?.toISOString();
    const { rows } = await transaction.raw<{ rows: [ImportedHistory] }>(statement, {
      organisationId,
      tokenId: null,
      validFromUtc,
      isRelease: release !== undefined,
      request: JSON.stringify({ import: source, agents: records.length, from }),
      customMaxBytes: limits.customMaxBytesPerAgent,
    });
    const [imported] = rows;
    if (release?.mayRewrite === false && imported.overwritten > 0) {
      throw new OverwrittenHistory(imported.overwritten);
    }
    const written = {
      organisationId,
      keys: [...new Set(records.flatMap(({ custom }) => givenFields(custom).map(([key]) => key)))],
      customBytes: imported.customBytes,
    };
    const problem = await checkCustom(transaction, written, limits);
    if (problem !== undefined) throw new Error(problem);
    await transaction('custom_keys')
      .where({ organisation_id: organisationId })
      .whereIn('key', weights)
      .update({ is_weight: true });
    return {
      ...registered,
      historiesChanged: imported.changed,
      fieldsCleared: imported.cleared,
    };
  });
  // Without new statistics, Postgres plans a change of all agents as a change of a few.
  await database.raw('analyze agents, agent_metadata');
  return result;
}

function rejectLongFields(records: readonly AgentRecord[], limits: CustomLimits): void {
  for (const { agentId, unitId, custom } of records) {
    for (const [key, value] of givenFields(custom)) {
      const problem = longFieldProblem(key, value, limits);
      if (problem === undefined) continue;
      const name = agentId === null ? `unit ${unitId}` : `agent ${agentId}`;
      throw new Error(`${name}, custom.${key.slice(0, shownCharacters)}: ${problem}`);
    }
  }
}

const shownCharacters = 100;

function givenFields(
  custom: AgentRecord['custom'],
): readonly (readonly [string, string | number])[] {
  return Object.entries(custom).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const],
  );
}

interface ImportedHistory {
  /** Agents whose values changed. */
  readonly changed: number;
  /** Agents for which other values were recorded from the same start on. */
  readonly overwritten: number;
  /** Fields that had a value and have none now. */
  readonly cleared: number;
  /** Size of the largest custom data that grew beyond the limit; null: none did. */
  readonly customBytes: number | null;
}

/**
 * A release that begins before everything recorded of an agent is valid for all earlier time too, and ignores the values
 * that a later release has set there. So releases can be loaded in any order.
 */
const statement = rewriteHistory({
  incoming: `
    select s.agent_key, isp.id as isp_id, package.id as package_id, s.timezone, s.custom, is_first,
      is_first or s.states_package as states_package,
      is_first or s.states_timezone as states_timezone,
      case when first_start < start.time or not :isRelease and first_start is not null
        then start.time end as change_from,
      case when :isRelease then next_start end as change_to,
      case when :isRelease then start.time end as stated_from
    from staged_agents s
      cross join lateral (
        select coalesce(s.valid_from, cast(:validFromUtc as timestamptz)) as time) as start
      cross join lateral (
        select min(recorded_from) as first_start,
               min(recorded_from) filter (where recorded_from > start.time) as next_start,
               :isRelease and coalesce(min(recorded_from) > start.time, false) as is_first
        from (
          select coalesce(greatest(lower(m.valid), m.stated_from), '-infinity') as recorded_from
          from agent_metadata m where m.agent_key = s.agent_key and m.superseded_at is null
        ) as recorded
      ) as history
      left join isps isp on isp.organisation_id = :organisationId and isp.name = s.isp
      left join packages package on package.isp_id = isp.id and package.name = s.package
    where s.isp is not null or s.timezone is not null or s.custom <> '{}'
      or s.states_package or s.states_timezone`,
  newValues: {
    join: 'join incoming i using (agent_key)',
    ispId: 'case when i.states_package then i.isp_id else coalesce(i.isp_id, p.isp_id) end',
    packageId: `case when i.states_package or i.package_id is not null then i.package_id
                     when i.isp_id is null or i.isp_id = p.isp_id then p.package_id end`,
    timezone:
      'case when i.states_timezone then i.timezone else coalesce(i.timezone, p.timezone) end',
    custom: `jsonb_strip_nulls(case when i.is_first then '{}' else p.custom end || i.custom)`,
  },
  result: `count(distinct agent_key)::integer as changed,
           count(distinct agent_key) filter (where id is not null and (
             new_stated_from is null
             or greatest(lower(valid), stated_from) = new_stated_from))::integer as overwritten,
           (select count(distinct (agent_key, field))::integer
            from changed c cross join lateral (
              select 'isp' as field where c.isp_id is not null and c.new_isp_id is null
              union all
              select 'package' where c.package_id is not null and c.new_package_id is null
              union all
              select 'timezone' where c.timezone is not null and c.new_timezone is null
              union all
              select 'custom.' || key from jsonb_object_keys(c.custom) as key
              where not jsonb_exists(c.new_custom, key)
            ) as fields) as cleared,
           ${customBytes} as "customBytes"
           from changed
           where (isp_id, package_id, timezone, custom)
             is distinct from (new_isp_id, new_package_id, new_timezone, new_custom)`,
});
