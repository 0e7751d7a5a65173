import { type SnapshotDifference, verifySnapshot } from '../metadata/snapshot/verify-snapshot.ts';
import { snapshotState } from '../shared/postgres/snapshot-state.ts';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres } from '../shared/postgres/connect-postgres.ts';
import { type Command, UsageError } from './command.ts';
import { readCliConfig } from './config.ts';

/** Enough to see what is wrong; the closing line counts them all. */
const differencesShown = 100;

export const snapshotCommand: Command = {
  name: 'snapshot',
  about: 'Compare the metadata that queries see with what is stored',
  usage: `netpanel snapshot --verify

Asks ClickHouse's dictionary about every agent and every stretch of its history, and says where the
answer is not what Postgres holds. Ends with 1 when something differs. A change that was made a
moment ago may still be on its way: their number is told as well.`,

  async run(args) {
    if (args.length !== 1 || args[0] !== '--verify') {
      throw new UsageError('snapshot takes --verify and nothing else');
    }
    const config = readCliConfig();
    const database = connectPostgres(config.databaseUrl, 2, 'netpanel-snapshot');
    const clickhouse = connectClickHouse(config, 'netpanel-snapshot');
    try {
      const { waitingChanges: changes } = await snapshotState(database);
      const verified = { agents: 0, stretches: 0, differences: 0 };
      for await (const batch of verifySnapshot(database, clickhouse)) {
        for (const difference of batch.differences) {
          if (verified.differences++ < differencesShown) tell(described(difference));
        }
        verified.agents += batch.agents;
        verified.stretches += batch.stretches;
      }
      const { agents, stretches, differences } = verified;
      tell(
        `${agents} agents, ${stretches} stretches, ${differences} differences, ` +
          `${changes} changes on their way`,
      );
      return differences === 0 ? 0 : 1;
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  },
};

function described({ agentKey, atS, text }: SnapshotDifference): string {
  return `agent ${agentKey} at ${new Date(atS * 1000).toISOString()}: ${text}`;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
