/**
 * The end of every statement that rewrites history: `changed` rows are superseded, `pieces` take
 * their place, and a snapshot is due, all in the name of `change`. It takes :organisationId.
 *
 * An insert waits for the update through the count, or a piece would overlap what it replaces.
 */
export const rewriteSteps = `
  superseded as (
    update agent_metadata m set superseded_at = change.recorded_at, superseded_by = change.id
    from changed, change
    where m.id = changed.id
    returning m.id
  ),
  inserted as (
    insert into agent_metadata (agent_key, organisation_id, valid, isp_id, package_id, timezone,
                                custom, recorded_at, recorded_by)
    select agent_key, :organisationId, valid, isp_id, package_id, timezone, custom,
           change.recorded_at, change.id
    from pieces, change
    where (select count(*) from superseded) >= 0
  ),
  due as (
    insert into snapshot_outbox (change_id) select id from change
  )`;
