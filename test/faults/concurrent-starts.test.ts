import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import { pendingClickHouseMigrations } from '../../services/schema/clickhouse/migrate-clickhouse.ts';
import { pendingPostgresMigrations } from '../../services/schema/postgres/migrate-postgres.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../support/isolated-stores.ts';
import { runBuilt } from '../support/run-built.ts';
import { waitUntil } from '../support/wait-until.ts';
import { isProof, recoveryMs } from './fault-settings.ts';

const netpanel = 'services/cli/netpanel.js';
const rounds = Number(process.env.STARTER_ROUNDS ?? (isProof ? 20 : 1));

describe('four migrations and four services started at once on empty databases', () => {
  for (let round = 1; round <= rounds; round++) {
    it(`all succeed, round ${round}`, async () => {
      const stores = await emptyIsolatedStores();
      const services: RunningService[] = [];
      const starting = (['query', 'metadata', 'query', 'metadata'] as const).map(async (name) => {
        services.push(await start(name, stores));
      });
      try {
        const migrating = [1, 2, 3, 4].map(() => runBuilt(netpanel, stores.env, ['migrate']));
        const migrated = await Promise.all(migrating);
        const codes = migrated.map(({ code }) => code);
        expect(codes, JSON.stringify(migrated)).to.deep.equal([0, 0, 0, 0]);
        await Promise.all(starting);
        await expectCompleteSchema(stores);
      } finally {
        await Promise.allSettled(starting);
        await Promise.all(services.map((service) => service.stop()));
        await stores.close();
      }
    });
  }

  async function start(
    name: 'query' | 'metadata',
    { env }: IsolatedStores,
  ): Promise<RunningService> {
    const { stateDir } = await localStack();
    const [port, opsPort] = (await freePorts(2)) as [number, number];
    const prefix = name.toUpperCase();
    return startService({
      name,
      env: {
        PATH: process.env.PATH,
        ...env,
        EXPORT_FOLDER: join(stateDir, 'starters'),
        [`${prefix}_PORT`]: String(port),
        [`${prefix}_OPS_PORT`]: String(opsPort),
      },
      opsPort,
      logFile: join(stateDir, `starter-${name}.log`),
      readyTimeoutMs: recoveryMs,
    });
  }

  async function expectCompleteSchema({
    database,
    clickhouse,
    differences,
  }: IsolatedStores): Promise<void> {
    expect(await pendingPostgresMigrations(database)).to.deep.equal([]);
    const names = await database('knex_migrations').pluck<string[]>('name');
    expect(names).to.deep.equal([...new Set(names)]);
    expect(await database('knex_migrations_lock').pluck('is_locked')).to.deep.equal([0]);
    expect(await pendingClickHouseMigrations(clickhouse)).to.deep.equal([]);
    const result = await clickhouse.query({
      query: `SELECT
  (SELECT count() = uniqExact(version, statement) FROM schema_migrations) AS once_each,
  (SELECT count() FROM dictionary(currentDatabase() || '.timezone_span')) =
  (SELECT uniqExact(timezone, span) FROM timezone_offset_source FINAL ARRAY JOIN range(
    bitShiftRight(toUnixTimestamp(valid_from), 22), bitShiftRight(toUnixTimestamp(valid_to), 22) + 1) AS span) AS same_offsets,
  (SELECT uniqExact(tzdata_version) FROM timezone_offset_version) AS tzdata_versions`,
      format: 'JSONEachRow',
    });
    expect(await result.json()).to.deep.equal([
      { once_each: 1, same_offsets: 1, tzdata_versions: 1 },
    ]);
    await waitUntil(
      async () => (await differences().catch(() => undefined))?.length === 0,
      recoveryMs,
    );
  }
});
