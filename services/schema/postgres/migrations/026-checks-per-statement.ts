import type { Knex } from 'knex';
import { checkNewPeriods } from './003-metadata-history.ts';

/**
 * The checks of new periods in a third of the time for a change of a whole panel:
 *
 * - The ISP, package and change of each combination are looked up once, not once per row.
 * - `execute` plans for the number of rows at hand. A cached plan was that of the connection's first change:
 *   if that was of one agent, a change of 100,000 agents looked up each row in turn.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function check_new_periods() returns trigger language plpgsql as $$
    declare
      violated boolean;
    begin
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'metadata history must be written with isolation level read committed';
      end if;
      perform pg_advisory_xact_lock(1, organisation_id)
        from (select distinct organisation_id from inserted order by 1) as touched;

      execute $overlap$ select exists (
        select from inserted i
          join agent_metadata m on m.agent_key = i.agent_key and m.superseded_at is null
        where i.superseded_at is null and m.id <> i.id and m.valid && i.valid
      ) $overlap$ into violated;
      if violated then
        raise exclusion_violation using table = 'agent_metadata',
          message = 'two current periods of an agent overlap (no_overlapping_periods)';
      end if;

      execute $references$ select exists (
        select from inserted i
          left join agents a on a.id = i.agent_key and a.organisation_id = i.organisation_id
        where a.id is null
      ) or exists (
        select from (
            select distinct organisation_id, isp_id, package_id, recorded_by from inserted
          ) as i
          left join isps s on s.id = i.isp_id and s.organisation_id = i.organisation_id
          left join packages p on p.id = i.package_id and p.isp_id = i.isp_id
          left join metadata_changes c
            on c.id = i.recorded_by and c.organisation_id = i.organisation_id
        where c.id is null
           or (i.isp_id is not null and s.id is null)
           or (i.package_id is not null and p.id is null)
      ) $references$ into violated;
      if violated then
        raise foreign_key_violation using table = 'agent_metadata',
          message = 'violates foreign key: the organisation does not have the agent, ISP, package or change';
      end if;
      return null;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(checkNewPeriods);
}
