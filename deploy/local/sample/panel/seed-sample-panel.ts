import type { ClickHouseClient } from '@clickhouse/client';
import type { Knex } from 'knex';
import type { Database } from '../../../../services/shared/postgres/connect-postgres.ts';
import { lockTable } from '../../../../services/shared/postgres/lock-table.ts';
import { waitForLock } from '../../../../services/shared/postgres/with-advisory-lock.ts';
import { fillSampleResults, type RowsAdded } from './fill-sample-results.ts';
import { readSampleLines } from './read-sample-lines.ts';
import { sampleHouseholds } from './sample-households.ts';
import { sampleDays, sampleRange } from './sample-range.ts';
import { storeSampleHouseholds, type OrganisationIds } from './store-sample-households.ts';

export interface SampleOptions {
  readonly database: Database;
  /** Connected to the migrated database. */
  readonly clickhouse: ClickHouseClient;
  /** The results cover the 60 days before. */
  readonly endsAt: Date;
  readonly seed: number;
  /** Adds results of only the last days. */
  readonly resultDays?: number | undefined;
}

export interface SampleSummary {
  readonly agentsAdded: number;
  readonly rowsAdded: RowsAdded;
}

/**
 * Adds the missing parts of the sample panel: agents and their history to Postgres, results to
 * ClickHouse. Existing rows are not changed, so a user's metadata changes survive a restart.
 */
export async function seedSamplePanel(options: SampleOptions): Promise<SampleSummary> {
  const { database, clickhouse, seed, resultDays = sampleDays } = options;
  const range = sampleRange(options.endsAt);
  const agentsAdded = await database.transaction(async (transaction) => {
    // Concurrent seeding would share temporary tables.
    await waitForLock(transaction, lockTable.samplePanel());
    const organisationIds = await storeOrganisations(transaction);
    const households = sampleHouseholds(seed, range);
    return storeSampleHouseholds(transaction, organisationIds, households, range);
  });
  const rowsAdded = await database.transaction(async (transaction) => {
    await waitForLock(transaction, lockTable.samplePanel());
    const organisationIds = await storeOrganisations(transaction);
    const lines = await readSampleLines(transaction, organisationIds, range, seed);
    const added = await fillSampleResults(clickhouse, lines, range, seed, resultDays);
    // A ClickHouse without results may have no metadata either.
    if (Object.keys(added).length > 0) {
      const due = Object.values(organisationIds).map((id) => ({ organisation_id: id }));
      await transaction('snapshot_outbox').insert(due);
    }
    return added;
  });
  return { agentsAdded, rowsAdded };
}

async function storeOrganisations(transaction: Knex.Transaction): Promise<OrganisationIds> {
  await transaction('organisations')
    .insert(['demo', 'other'].map((name) => ({ name, all_metrics: true, all_tests: true })))
    .onConflict('name')
    .ignore();
  const rows = await transaction<{ id: number; name: string }>('organisations')
    .whereIn('name', ['demo', 'other'])
    .select('id', 'name');
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? 0;
  return { demo: idOf('demo'), other: idOf('other') };
}
