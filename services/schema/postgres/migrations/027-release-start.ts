import type { Knex } from 'knex';
import { columnsOfHistory, historyIsAppendOnly } from './024-saved-views.ts';

/**
 * From when on a release stated the values of a period. The first release of a unit is valid for all time, so the
 * start of the period does not say it, and an earlier release that is loaded later ends there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- null: not of a release
    alter table agent_metadata add column stated_from timestamptz;
    ${historyIsAppendOnly(`${columnsOfHistory}, stated_from`)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${historyIsAppendOnly(columnsOfHistory)}
    alter table agent_metadata drop column stated_from;
  `);
}
