import type { Caller } from '../../shared/auth/caller.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { MetadataChange } from '../request/metadata-change.ts';
import { lockHistory } from './lock-history.ts';
import { rewriteSteps } from './rewrite-steps.ts';
import { selectorConditions } from './selector-conditions.ts';

export interface AppliedChange {
  readonly matchedAgents: number;
  /** False when everything was so already: then nothing was written. */
  readonly changedHistory: boolean;
}

/** Who sent the change, what they sent, and at what time it came. */
export interface ChangeOrigin {
  readonly caller: Caller;
  readonly body: unknown;
  readonly now: Date;
}

/** Changes the history of every matching agent from one date on, all of them or none. */
export async function applyChange(
  database: Database,
  change: MetadataChange,
  { caller, body, now }: ChangeOrigin,
): Promise<AppliedChange> {
  const { organisationId, tokenId } = caller;
  const { metadata, overwriteAll } = change;
  const matching = selectorConditions(change.selector);
  return database.transaction(async (transaction) => {
    await lockHistory(transaction, organisationId);
    // 100,000 agents are joined in memory rather than on disk; compiling the statement, which the
    // planner thinks enormous, would take longer than running it.
    await transaction.raw("set local work_mem = '64MB'; set local jit = off");
    const { rows } = await transaction.raw<{ rows: [AppliedChange] }>(
      changeStatement(matching.sql),
      {
        ...matching.bindings,
        organisationId,
        tokenId,
        request: JSON.stringify(body),
        now,
        changeFrom: change.validFromUtc,
        setsPackage: overwriteAll || metadata.package !== undefined,
        newIspId: metadata.package?.ispId ?? null,
        newPackageId: metadata.package?.packageId ?? null,
        setsTimezone: overwriteAll || metadata.timezone !== undefined,
        newTimezone: metadata.timezone ?? null,
        replacesCustom: overwriteAll,
        newCustom: JSON.stringify(metadata.custom ?? {}),
      },
    );
    return rows[0];
  });
}

/**
 * matched    the agents of the selector
 * stretches  their current stretches that reach beyond the date, and the gaps between those
 * changed    the same with their new values, where these differ
 * pieces     what takes their place: the part before the date as it was, the rest as it is now;
 *            neighbours that became equal are one. A stretch from before the date to forever, the
 *            usual case, has no neighbour, and is spared the grouping
 */
function changeStatement(matching: string): string {
  return `
    with matched as materialized (
      select a.id as agent_key
      from agents a
        left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
          and m.valid @> cast(:now as timestamptz)
      where a.organisation_id = :organisationId and ${matching}
    ),
    stretches as materialized (
      select m.id, m.agent_key, m.valid, m.isp_id, m.package_id, m.timezone, m.custom
      from matched join agent_metadata m on m.agent_key = matched.agent_key
      where m.superseded_at is null and m.valid && tstzrange(:changeFrom, null)
    ),
    gaps as (
      select agent_key, unnest(
        tstzmultirange(tstzrange(:changeFrom, null)) - coalesce(range_agg(valid), '{}')) as valid
      from matched left join stretches using (agent_key)
      where not exists (
        select from stretches whole
        where whole.agent_key = matched.agent_key and whole.valid @> tstzrange(:changeFrom, null))
      group by agent_key
    ),
    changed as materialized (
      select *
      from (
        select id, agent_key, valid, isp_id, package_id, timezone, custom from stretches
        union all
        select null, agent_key, valid, null, null, null, '{}' from gaps
      ) as before
      cross join lateral (
        select
          case when :setsPackage then cast(:newIspId as integer) else isp_id end as new_isp_id,
          case when :setsPackage then cast(:newPackageId as integer) else package_id end
            as new_package_id,
          case when :setsTimezone then cast(:newTimezone as text) else timezone end as new_timezone,
          case when :replacesCustom then '{}' else custom end || cast(:newCustom as jsonb)
            as new_custom
      ) as after
      where (isp_id, package_id, timezone, custom)
        is distinct from (new_isp_id, new_package_id, new_timezone, new_custom)
    ),
    pieces as materialized (
      select agent_key, valid * tstzrange(null, :changeFrom) as valid,
             isp_id, package_id, timezone, custom
      from changed where not isempty(valid * tstzrange(null, :changeFrom))
      union all
      select agent_key, tstzrange(:changeFrom, null),
             new_isp_id, new_package_id, new_timezone, new_custom
      from changed where valid @> tstzrange(:changeFrom, null)
      union all
      select agent_key, unnest(range_agg(valid * tstzrange(:changeFrom, null))),
             new_isp_id, new_package_id, new_timezone, new_custom
      from changed where not valid @> tstzrange(:changeFrom, null)
      group by agent_key, new_isp_id, new_package_id, new_timezone, new_custom
    ),
    change as (
      insert into metadata_changes (organisation_id, token_id, recorded_at, request, agent_count)
      select :organisationId, :tokenId, statement_timestamp(), cast(:request as jsonb),
             (select count(*) from matched)
      where exists (select from changed)
      returning id, recorded_at
    ),
    ${rewriteSteps}
    select (select count(*) from matched) as "matchedAgents",
           exists (select from changed) as "changedHistory"`;
}
