export interface HistoryRewrite {
  /**
   * A query for the agents to change: agent_key, change_from (null: no start), change_to (null: no end),
   * stated_from (the start of a release; null: not a release) and any columns that the new values use.
   */
  readonly incoming: string;
  /** Expressions for the new values of a period `p`; `join` is for values that differ by agent. */
  readonly newValues: {
    readonly join?: string;
    readonly ispId: string;
    readonly packageId: string;
    readonly timezone: string;
    readonly custom: string;
  };
  /** Columns of the result, over `incoming` and `changed`. */
  readonly result: string;
}

/**
 * A statement that changes the history of many agents, each from its own date on, or between two dates.
 * Bindings: :organisationId, :tokenId and :request.
 *
 * incoming  the agents and the dates from and to which they change
 * periods   their current periods that overlap that time
 * gaps      the part of that time that no period covers
 * changed   periods and gaps whose values change, with the new values. A release begins a period even if
 *           its values are the same: an earlier release that is loaded later must end there
 * pieces    the rows to insert: the new values of that time, with adjacent equal values merged (usually one period
 *           covers all of that time and needs no merging), and the parts after that time with the old values and
 *           the change that set them (first_recorded)
 *
 * Rows of `changed` that begin before that time are shortened, but each only once: the next time a row is superseded
 * like the others, and its part before that time is one of `pieces`. Also requests a snapshot. `change` records all of
 * this.
 */
export function rewriteHistory({ incoming, newValues, result }: HistoryRewrite): string {
  return `
    with incoming as materialized (${incoming}),
    periods as materialized (
      select m.id, m.agent_key, i.change_from, i.change_to, i.stated_from as new_stated_from, m.valid,
             m.isp_id, m.package_id, m.timezone, m.custom, m.stated_from,
             coalesce(m.first_recorded_at, m.recorded_at) as first_recorded_at,
             coalesce(m.first_recorded_by, m.recorded_by) as first_recorded_by,
             m.shortened_at is null and not isempty(m.valid * tstzrange(null, i.change_from))
               and i.change_from is not null as is_shortened
      from incoming i join agent_metadata m on m.agent_key = i.agent_key
      where m.superseded_at is null and m.valid && tstzrange(i.change_from, i.change_to)
    ),
    gaps as (
      select i.agent_key, i.change_from, i.change_to, i.stated_from, unnest(
        tstzmultirange(tstzrange(i.change_from, i.change_to))
          - coalesce(range_agg(p.valid), '{}')) as valid
      from incoming i left join periods p using (agent_key)
      where not exists (
        select from periods whole
        where whole.agent_key = i.agent_key and whole.valid @> tstzrange(i.change_from, i.change_to))
      group by i.agent_key, i.change_from, i.change_to, i.stated_from
    ),
    changed as materialized (
      select p.*, new.*
      from (
        select * from periods
        union all
        select null, agent_key, change_from, change_to, stated_from, valid, null, null, null, '{}', null,
               null, null, false
        from gaps
      ) as p
        ${newValues.join ?? ''}
        cross join lateral (
          select ${newValues.ispId} as new_isp_id, ${newValues.packageId} as new_package_id,
                 ${newValues.timezone} as new_timezone, ${newValues.custom} as new_custom
          -- Without it, Postgres computes the values once for the condition and once for the result.
          offset 0
        ) as new
      where (p.isp_id, p.package_id, p.timezone, p.custom)
        is distinct from (new_isp_id, new_package_id, new_timezone, new_custom)
        or greatest(lower(p.valid), p.stated_from) is distinct from p.new_stated_from
          and p.new_stated_from is not null
    ),
    pieces as materialized (
      select agent_key, valid * kept as valid, isp_id, package_id, timezone, custom, stated_from,
             first_recorded_at, first_recorded_by
      from changed cross join lateral (
        select tstzrange(null, change_from) as kept where change_from is not null and not is_shortened
        union all
        select tstzrange(change_to, null) where change_to is not null
      ) as outside
      where not isempty(valid * kept)
      union all
      select agent_key, tstzrange(change_from, change_to),
             new_isp_id, new_package_id, new_timezone, new_custom, new_stated_from, null, null
      from changed where valid @> tstzrange(change_from, change_to)
      union all
      select agent_key, unnest(range_agg(valid * tstzrange(change_from, change_to))),
             new_isp_id, new_package_id, new_timezone, new_custom, new_stated_from, null, null
      from changed where not valid @> tstzrange(change_from, change_to)
      group by agent_key, new_isp_id, new_package_id, new_timezone, new_custom, new_stated_from
    ),
    change as (
      insert into metadata_changes (organisation_id, token_id, recorded_at, request, agent_count)
      select :organisationId, :tokenId, statement_timestamp(), cast(:request as jsonb),
             (select count(*) from incoming)
      where exists (select from changed)
      returning id, recorded_at
    ),
    -- Arrays and not a join: the planner overestimates its rows and would read the whole table, which grows with the
    -- history of all organisations.
    superseded as (
      update agent_metadata m set superseded_at = change.recorded_at, superseded_by = change.id
      from change
      where m.id = any (array(select id from changed where id is not null and not is_shortened))
    ),
    shortened as (
      update agent_metadata m
      set valid = m.valid * tstzrange(null, s.change_from), longer_valid = m.valid,
          shortened_at = change.recorded_at, shortened_by = change.id
      from change, unnest(
        array(select id from changed where is_shortened order by id),
        array(select change_from from changed where is_shortened order by id)) as s (id, change_from)
      where m.id = s.id
    ),
    inserted as (
      insert into agent_metadata (agent_key, organisation_id, valid, isp_id, package_id, timezone,
                                  custom, stated_from, recorded_at, recorded_by, first_recorded_at,
                                  first_recorded_by)
      select agent_key, :organisationId, valid, isp_id, package_id, timezone, custom, stated_from,
             change.recorded_at, change.id, first_recorded_at, first_recorded_by
      from pieces, change
    ),
    due as (
      insert into snapshot_outbox (organisation_id, change_id, agent_keys, affected_from)
      select :organisationId, change.id, agents.keys, agents.affected_from
      from change, (
        select array_agg(distinct agent_key) as keys,
               -- -infinity for a period without a start
               min(greatest(coalesce(lower(valid), '-infinity'), change_from)) as affected_from
        from changed
      ) as agents
      returning version
    )
    select ${result}`;
}

/**
 * The most bytes that the text of a custom field has per stored byte: 1e-300 has 302 characters and takes 16
 * bytes.
 */
const maxTextPerByte = 30;

/**
 * For `result`: the size of the largest custom data that grows and exceeds the binding :customMaxBytes. Data that was
 * too large before may stay. Converting to text is slow, so only data that may be too large is converted.
 */
export const customBytes = `(
      select max(octet_length(cast(new_custom as text))) from changed
      where case
        when pg_column_size(new_custom) * ${maxTextPerByte} <= cast(:customMaxBytes as bigint) then false
        else new_custom <> custom
          and octet_length(cast(new_custom as text))
              > greatest(octet_length(cast(custom as text)), cast(:customMaxBytes as bigint))
        end)`;

/** For `result`: the metadata version of the change, or the current one if nothing changed. */
export const metadataVersion = `coalesce(
      (select version from due),
      (select version from metadata_versions where organisation_id = :organisationId), 0)`;
