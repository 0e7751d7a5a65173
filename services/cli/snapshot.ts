import type { ClickHouseClient } from '@clickhouse/client';
import { type SnapshotDifference, verifySnapshot } from '../metadata/snapshot/verify-snapshot.ts';
import { findOrganisation } from '../registry/organisations/organisations.ts';
import { snapshotState } from '../registry/versions/snapshot-state.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { parseOptions, rejectExtraArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { printLine } from './print.ts';
import { parseWait, waitForPublication, waitOptions, waitUsage } from './wait-for-publication.ts';
import { withStores } from './with-stores.ts';

/** The last line of the output has the total. */
const differencesShown = 100;

export const snapshotCommand: Command = {
  about: 'Compare the metadata in ClickHouse with Postgres, or publish all of it again',
  usage: `netpanel snapshot --verify
netpanel snapshot --full [--org NAME] [--no-wait] [--wait-seconds 120]

  --verify  compares every agent and every period of its history in ClickHouse's dictionaries with Postgres and
            prints the differences. The exit code is 1 if there are any. Recent changes may not be published
            yet: their number is printed as well.
  --full    publishes all agents again, of every organisation or of one. A change publishes only its agents.

${waitUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      verify: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      org: { type: 'string' },
      ...waitOptions,
    });
    rejectExtraArguments(positionals);
    if (values.verify === values.full) {
      throw new UsageError('snapshot needs either --verify or --full');
    }
    if (values.verify && values.org !== undefined) {
      throw new UsageError('--verify compares all organisations: --org is only for --full');
    }
    const wait = parseWait(values);
    return withStores(async ({ database, clickhouse }) => {
      if (values.verify) return verify(database, clickhouse);
      const organisationIds =
        values.org === undefined
          ? await database('organisations').orderBy('id').pluck<number[]>('id')
          : [await findOrganisation(database, values.org)];
      for (const id of organisationIds) {
        // A row without agents: all are published.
        await database('snapshot_outbox').insert({ organisation_id: id });
      }
      const codes: number[] = [];
      for (const id of organisationIds) codes.push(await waitForPublication(database, id, wait));
      return Math.max(0, ...codes);
    });
  },
};

async function verify(database: Database, clickhouse: ClickHouseClient): Promise<number> {
  const { waitingChanges } = await snapshotState(database);
  const verified = { agents: 0, periods: 0, differences: 0 };
  for await (const batch of verifySnapshot(database, clickhouse)) {
    for (const difference of batch.differences) {
      if (verified.differences++ < differencesShown) printLine(describe(difference));
    }
    verified.agents += batch.agents;
    verified.periods += batch.periods;
  }
  const { agents, periods, differences } = verified;
  printLine(
    `${agents} agents, ${periods} periods, ${differences} differences, ` +
      `${waitingChanges} changes not published yet`,
  );
  return differences === 0 ? 0 : 1;
}

function describe({ agentKey, atS, text }: SnapshotDifference): string {
  return `agent ${agentKey} at ${new Date(atS * 1000).toISOString()}: ${text}`;
}
