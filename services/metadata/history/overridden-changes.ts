import type { Warning } from '../../shared/errors/warnings.ts';
import type { CustomValue } from '../request/metadata-change.ts';

/** A value of a later change that this change has replaced. */
interface OverriddenChange {
  readonly field: 'package' | 'timezone' | 'custom';
  /** Of a custom field. */
  readonly key: string | null;
  /** Validity period of the replaced value; `to` is null if it had no end. */
  readonly from: string;
  readonly to: string | null;
  /** As in a request: a package is `<isp>:<package>` or `<isp>:`; null if there was no value. */
  readonly value: CustomValue | null;
  readonly agents: number;
  /** The first of the agents. */
  readonly agentIds: readonly string[];
}

export interface OverriddenChanges {
  /** At most maxListed, the earliest first. */
  readonly listed: readonly OverriddenChange[];
  readonly total: number;
  /** Agents that have a changed period after the date of the change; maxExamined of them were examined. */
  readonly laterAgents: number;
}

const maxListed = 10;
const maxAgentIds = 5;
/** Bounds the work: an agent may have hundreds of custom fields. */
const maxExamined = 10_000;

/** The warnings of PUT /metadata. Each has what is needed to send the later change again. */
export function overrideWarnings({
  listed,
  total,
  laterAgents,
}: OverriddenChanges): readonly Warning[] {
  const warnings: Warning[] = listed.map(({ field, key, from, to, ...rest }) => ({
    code: 'OVERRIDES_LATER_CHANGES',
    field: key === null ? `metadata[${field}]` : `metadata[custom][${key}]`,
    message: messageOf(rest.agents, new Date(from)),
    from: new Date(from).toISOString(),
    to: to === null ? null : new Date(to).toISOString(),
    ...rest,
  }));
  const notListed = total - listed.length;
  const more = [
    ...(notListed > 0 ? [`${notListed} more overridden changes are not listed.`] : []),
    ...(laterAgents > maxExamined && total > 0
      ? [`Only the first ${maxExamined} of ${laterAgents} agents with later changes were examined.`]
      : []),
  ];
  if (more.length > 0) warnings.push({ code: 'MORE_WARNINGS', message: more.join(' ') });
  return warnings;
}

function messageOf(agents: number, from: Date): string {
  const unixS = Math.floor(from.getTime() / 1000);
  return (
    `This replaced a later change of ${agents === 1 ? 'an agent' : `${agents} agents`}. To restore it, ` +
    `send "value" for these agents again with "backdate_from": ${unixS}.`
  );
}

/**
 * For `result` of rewriteHistory, with the bindings of a change: the later changes that it overrides.
 *
 * later_agents  agents with a changed period that begins after the date
 * sequence      their periods, each with the values of the adjacent period before
 * field_values  one row per period and changed field
 * islands       numbers consecutive periods with an equal value; 0: no value yet
 * overridden    the islands that begin after the date and had another value than the new one
 * grouped       the same value of the same period, over agents
 */
export const overriddenChanges = `(
  with later_agents as materialized (
    select agent_key from changed
    where id is not null and lower(valid) > change_from
    group by agent_key
  ),
  sequence as (
    select p.*, upper(lag(p.valid) over earlier) = lower(p.valid) as is_adjacent,
           lag(p.isp_id) over earlier as previous_isp_id,
           lag(p.package_id) over earlier as previous_package_id,
           lag(p.timezone) over earlier as previous_timezone,
           lag(p.custom) over earlier as previous_custom
    from periods p
    where p.agent_key in (select agent_key from later_agents order by agent_key limit ${maxExamined})
    window earlier as (partition by p.agent_key order by p.valid)
  ),
  field_values as (
    select s.agent_key, s.valid, s.change_from, f.field, f.key, f.value, f.new_value,
           case when s.is_adjacent then f.previous end as previous
    from sequence s cross join lateral (
      select 'package' as field, null as key,
             case when s.isp_id is not null
               then jsonb_build_array(s.isp_id, s.package_id) end as value,
             case when s.previous_isp_id is not null
               then jsonb_build_array(s.previous_isp_id, s.previous_package_id) end as previous,
             case when cast(:newIspId as integer) is not null
               then jsonb_build_array(cast(:newIspId as integer), cast(:newPackageId as integer))
             end as new_value
      where :setsPackage
      union all
      select 'timezone', null, to_jsonb(s.timezone), to_jsonb(s.previous_timezone),
             to_jsonb(cast(:newTimezone as text))
      where :setsTimezone
      union all
      select 'custom', k.key, s.custom -> k.key, s.previous_custom -> k.key,
             nullif(cast(:newCustom as jsonb) -> k.key, 'null')
      from (
        select jsonb_object_keys(cast(:newCustom as jsonb)) as key
        union
        select jsonb_object_keys(s.custom || coalesce(s.previous_custom, '{}'))
        where :replacesCustom
      ) as k
    ) as f
  ),
  islands as (
    select v.*, sum(case when value is distinct from previous then 1 else 0 end)
                  over (partition by agent_key, field, key order by valid) as island
    from field_values v
  ),
  overridden as (
    select agent_key, field, key, (array_agg(value))[1] as value,
           min(coalesce(lower(valid), '-infinity')) as valid_from,
           case when not bool_or(upper_inf(valid)) then max(upper(valid)) end as valid_to
    from islands
    where island > 0 and value is distinct from new_value
    group by agent_key, field, key, island, change_from
    having min(coalesce(lower(valid), '-infinity')) > change_from
  ),
  grouped as (
    select field, key, value, valid_from, valid_to, count(*) as agents,
           (array_agg(agent_key order by agent_key))[1:${maxAgentIds}] as agent_keys,
           count(*) over () as total
    from overridden
    group by field, key, value, valid_from, valid_to
    order by valid_from, field, key, value
    limit ${maxListed}
  )
  select jsonb_build_object(
    'laterAgents', (select count(*) from later_agents),
    'total', coalesce(max(total), 0),
    'listed', coalesce(jsonb_agg(jsonb_build_object(
      'field', field, 'key', key, 'from', valid_from, 'to', valid_to, 'agents', agents,
      'value', case when field = 'package' then (
          select to_jsonb(isp.name || ':' || coalesce(package.name, ''))
          from isps isp left join packages package on package.id = cast(g.value ->> 1 as integer)
          where isp.id = cast(g.value ->> 0 as integer)) else value end,
      'agentIds', (select jsonb_agg(agent_id order by id) from agents where id = any (agent_keys))
    ) order by valid_from, field, key, value), '[]'))
  from grouped g)`;
