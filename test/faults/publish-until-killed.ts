import { Registry } from '../../services/shared/metrics.ts';
import { startSnapshots } from '../../services/metadata/snapshot/start-snapshots.ts';
import { readMetadataConfig } from '../../services/metadata/config.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { createLogger } from '../../services/shared/logging/create-logger.ts';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';

// A process that publishes like the metadata service and kills itself with SIGKILL when the step
// in its argument begins, so that no handler runs and nothing is flushed.

const [killAt] = process.argv.slice(2);
const config = readMetadataConfig();
startSnapshots(
  connectPostgres(config.databaseUrl, 4, 'publish-until-killed'),
  connectClickHouse(config, 'publish-until-killed'),
  { logger: createLogger('publish-until-killed', 'error'), registry: new Registry() },
  {
    onStep: (step) => {
      if (step === killAt) process.kill(process.pid, 'SIGKILL');
    },
  },
);
