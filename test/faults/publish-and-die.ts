import { Registry } from 'prom-client';
import { startSnapshots } from '../../services/metadata/snapshot/start-snapshots.ts';
import { readMetadataConfig } from '../../services/metadata/config.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { createLogger } from '../../services/shared/logging/create-logger.ts';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';

// A process that publishes like the metadata service, and is killed as the step named in its
// argument begins: no handler runs, nothing is flushed, connections just end.

const [dieAt] = process.argv.slice(2);
const config = readMetadataConfig();
startSnapshots(
  connectPostgres(config.databaseUrl, 4, 'publish-and-die'),
  connectClickHouse(config, 'publish-and-die'),
  { logger: createLogger('publish-and-die', 'error'), registry: new Registry() },
  {
    onStep: (step) => {
      if (step === dieAt) process.kill(process.pid, 'SIGKILL');
    },
  },
);
