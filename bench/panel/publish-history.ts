import type { LocalStack } from '../../test/support/local-stack.ts';
import { recordHistory } from '../../test/support/record-history.ts';

export const isps = ['Northwave', 'Harbour', 'Cityline', 'Meadow', 'Quarry'];
const timezones = ['Europe/London', 'Europe/Berlin', 'America/New_York', 'America/Los_Angeles'];

/**
 * Gives every agent of an organisation two validity periods and waits until queries see them.
 * Every third agent changes its ISP in the middle of the panel.
 */
export async function publishHistory(
  { database }: LocalStack,
  organisationId: number,
): Promise<void> {
  await recordHistory(database, organisationId, async (transaction, changeId) => {
    await transaction.raw(insertHistory, { organisationId, changeId, isps, timezones });
    // Without it the planner assumes empty tables until autovacuum runs.
    await transaction.raw('analyze agents, agent_metadata');
  });
}

const insertHistory = `
  with numbered as (
    select id, row_number() over (order by id) as n from agents where organisation_id = :organisationId
  ), periods as (
    select id, n, 0 as step, tstzrange('2025-01-01', '2026-10-12', '[)') as valid from numbered
    union all
    select id, n, 1, tstzrange('2026-10-12', null, '[)') from numbered
  )
  insert into agent_metadata
    (agent_key, organisation_id, valid, isp_id, package_id, timezone, custom, recorded_at, recorded_by)
  select s.id, :organisationId, s.valid, i.id, p.id, (:timezones::text[])[1 + s.n % 4],
         jsonb_build_object('tier', 'tier-' || s.n % 4, 'panel', 'all', 'region', 'region-' || s.n % 200,
           'advertised_download_mbps', 100 * (1 + s.n % 3 * 6), 'weight', 0.5 + s.n % 7),
         now(), :changeId
  from periods s
    join isps i on i.organisation_id = :organisationId
      and i.name = (:isps::text[])[1 + (s.n + case when s.n % 3 = 0 then s.step else 0 end) % 5]
    join packages p on p.isp_id = i.id
      and p.name = (array['Fibre 100', 'Fibre 500', 'Fibre 1000'])[1 + s.n % 3]`;
