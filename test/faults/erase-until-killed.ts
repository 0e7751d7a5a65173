import { runErasure } from '../../services/metadata/erasure/run-erasure.ts';
import { readMetadataConfig } from '../../services/metadata/config.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';

// A process that runs an erasure like the metadata service and kills itself with SIGKILL when a step has
// done its work, before the step is recorded: the next process must repeat it.

const [id = '', killAfter] = process.argv.slice(2);
const config = readMetadataConfig();
const database = connectPostgres(config.databaseUrl, 4, 'erase-until-killed');
database.on('query', ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }) => {
  const isRecorded = sql.includes('array_append(steps_done') && bindings.includes(killAfter);
  if (isRecorded) process.kill(process.pid, 'SIGKILL');
});
const tools = {
  database,
  clickhouse: connectClickHouse(config, 'erase-until-killed'),
  cluster: '',
  settleMs: 0,
  onStep: () => undefined,
};
for (;;) {
  await runErasure(tools, id);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
