import { type SnapshotDifference, verifySnapshot } from '../metadata/snapshot/verify-snapshot.ts';
import { snapshotState } from '../registry/snapshot-state.ts';
import { type Command, UsageError } from './command.ts';
import { printLine } from './print-line.ts';
import { withStores } from './with-stores.ts';

/** The last line of the output has the total. */
const differencesShown = 100;

export const snapshotCommand: Command = {
  about: 'Compare the metadata in ClickHouse with Postgres',
  usage: `netpanel snapshot --verify

Compares every agent and every period of its history in ClickHouse's dictionary with Postgres and
prints the differences. The exit code is 1 if there are any. Recent changes may not be published yet:
their number is printed as well.`,

  async run(args) {
    if (args.length !== 1 || args[0] !== '--verify') {
      throw new UsageError('snapshot needs the option --verify and takes no other');
    }
    return withStores(async (database, clickhouse) => {
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
    });
  },
};

function describe({ agentKey, atS, text }: SnapshotDifference): string {
  return `agent ${agentKey} at ${new Date(atS * 1000).toISOString()}: ${text}`;
}
