import type { Knex } from 'knex';
import { rewriteSteps } from '../../metadata/history/rewrite-steps.ts';
import type { ImportOptions } from './import-agents.ts';

/**
 * Sets the metadata of every agent in the table imported_agents, each to its own values, and says
 * how many histories that changed. What PUT /metadata does for one value of many agents.
 *
 * incoming   the agents, their new values, and from when these hold
 * stretches  their current stretches that reach beyond that time, and the gaps between those
 * changed    the same with their new values, where these differ
 * pieces     what takes their place; neighbours that became equal are one
 */
export async function importHistory(
  transaction: Knex.Transaction,
  { organisationId, validFromUtc, source, records }: ImportOptions,
): Promise<number> {
  const result = await transaction.raw<{ rows: [{ changed: number }] }>(statement, {
    organisationId,
    validFromUtc,
    request: JSON.stringify({ import: source, agents: records.length }),
  });
  return result.rows[0].changed;
}

const statement = `
  with incoming as materialized (
    select i.agent_key, s.id as isp_id, p.id as package_id, i.timezone, i.custom,
      case when exists (select from agent_metadata m
                        where m.agent_key = i.agent_key and m.superseded_at is null)
        then cast(:validFromUtc as timestamptz) end as change_from
    from imported_agents i
      left join isps s on s.organisation_id = :organisationId and s.name = i.isp
      left join packages p on p.isp_id = s.id and p.name = i.package
    where i.isp is not null or i.timezone is not null or i.custom <> '{}'
  ),
  stretches as materialized (
    select m.id, m.agent_key, m.valid, m.isp_id, m.package_id, m.timezone, m.custom
    from incoming i join agent_metadata m on m.agent_key = i.agent_key
    where m.superseded_at is null and m.valid && tstzrange(i.change_from, null)
  ),
  gaps as (
    select i.agent_key, unnest(tstzmultirange(tstzrange(i.change_from, null))
      - coalesce(range_agg(m.valid), '{}')) as valid
    from incoming i left join stretches m using (agent_key)
    group by i.agent_key, i.change_from
  ),
  changed as materialized (
    select *
    from (
      select id, agent_key, valid, isp_id, package_id, timezone, custom from stretches
      union all
      select null, agent_key, valid, null, null, null, '{}' from gaps
    ) as before
    cross join lateral (
      select i.change_from,
        coalesce(i.isp_id, before.isp_id) as new_isp_id,
        case when i.package_id is not null then i.package_id
             when i.isp_id is null or i.isp_id = before.isp_id then before.package_id
        end as new_package_id,
        coalesce(i.timezone, before.timezone) as new_timezone,
        before.custom || i.custom as new_custom
      from incoming i where i.agent_key = before.agent_key
    ) as after
    where (isp_id, package_id, timezone, custom)
      is distinct from (new_isp_id, new_package_id, new_timezone, new_custom)
  ),
  pieces as materialized (
    select agent_key, unnest(range_agg(valid)) as valid, isp_id, package_id, timezone, custom
    from (
      select agent_key, valid * tstzrange(null, change_from) as valid,
             isp_id, package_id, timezone, custom
      from changed
      where change_from is not null and not isempty(valid * tstzrange(null, change_from))
        and id is not null
      union all
      select agent_key, valid * tstzrange(change_from, null),
             new_isp_id, new_package_id, new_timezone, new_custom
      from changed
    ) as parts
    group by agent_key, isp_id, package_id, timezone, custom
  ),
  change as (
    insert into metadata_changes (organisation_id, recorded_at, request, agent_count)
    select :organisationId, statement_timestamp(), cast(:request as jsonb),
           (select count(distinct agent_key) from changed)
    where exists (select from changed)
    returning id, recorded_at
  ),
  ${rewriteSteps}
  select count(distinct agent_key)::integer as changed from changed`;
