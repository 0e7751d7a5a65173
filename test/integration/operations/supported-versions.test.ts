import { expect } from 'chai';
import { serverVersion } from '../../../services/shared/clickhouse/server-version.ts';
import { localStack } from '../../support/local-stack.ts';
import {
  emptyIsolatedStores,
  isolatedStores,
  type IsolatedStores,
} from '../../support/isolated-stores.ts';
import { readinessOf } from '../../support/readiness-of.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startVersionProxy, type VersionProxy } from './version-proxy.ts';

const oldVersion = '24.3.1.2';
const unsupported =
  'ClickHouse 24.3.1.2 is not supported: netpanel needs 25.8 or later (tested up to 26.9)';
const newVersion = '27.1.1.1';
const warning = 'ClickHouse 27.1.1.1 is newer than the newest tested version, 26.9';

describe('the version of ClickHouse', () => {
  let realVersion: string;
  let stores: IsolatedStores;
  let proxy: VersionProxy;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    const unmigrated = await emptyIsolatedStores();
    realVersion = await serverVersion(unmigrated.clickhouseSettings);
    await unmigrated.close();
    stores = await isolatedStores();
    proxy = await startVersionProxy(stores.env.CLICKHOUSE_URL!, realVersion, oldVersion);
    env = { ...(await localStack()).env, ...stores.env, CLICKHOUSE_URL: proxy.url };
  });
  beforeEach(() => proxy.setVersion(oldVersion));
  after(async () => {
    await proxy.stop();
    await stores.close();
  });

  describe('when it is too old', () => {
    it('is rejected by netpanel migrate, which creates nothing', async () => {
      const empty = await emptyIsolatedStores();
      try {
        const { code, stderr } = await netpanel('migrate', {
          ...env,
          ...empty.env,
          CLICKHOUSE_URL: proxy.url,
        });
        expect({ code, stderr }).to.deep.equal({ code: 1, stderr: `${unsupported}\n` });
        expect(await databaseNames()).not.to.include(empty.env.CLICKHOUSE_DATABASE);
      } finally {
        await empty.close();
      }
    });

    it('is reported by netpanel doctor, also before the database exists', async () => {
      for (const database of [env.CLICKHOUSE_DATABASE!, 'missing']) {
        const { code, stdout } = await netpanel('doctor', {
          ...env,
          CLICKHOUSE_DATABASE: database,
        });
        expect(code).to.equal(1);
        expect(stdout).to.contain(`not ok  ClickHouse: ${unsupported}\n`);
      }
    });

    for (const name of ['query', 'metadata'] as const) {
      it(`makes the ${name} service not ready until the server is upgraded`, async () => {
        const service = await startUnready(name, env);
        try {
          const logged = () => service.logLines().filter(({ message }) => message === unsupported);
          // Logged at the start, before the first readiness check.
          await waitUntil(() => logged().length > 0);
          for (let probe = 0; probe < 2; probe++) {
            const { httpStatus, dependencies } = await readinessOf(service);
            expect(httpStatus).to.equal(503);
            expect(dependencies.clickhouse).to.include({
              ok: false,
              unsupported: true,
              error: unsupported,
            });
          }
          expect(logged().map(({ level }) => level)).to.deep.equal(['error']);

          proxy.setVersion(realVersion);
          const { httpStatus, dependencies } = await readinessOf(service);
          expect(httpStatus).to.equal(200);
          expect(dependencies.clickhouse).to.include({ ok: true, version: realVersion });
          expect(dependencies.clickhouse).not.to.have.property('unsupported');
        } finally {
          await service.kill('SIGTERM');
        }
      });

      it(`makes the ${name} service not ready, also before the database exists`, async () => {
        const service = await startUnready(name, { ...env, CLICKHOUSE_DATABASE: 'missing' });
        try {
          const { httpStatus, dependencies } = await readinessOf(service);
          expect(httpStatus).to.equal(503);
          expect(dependencies.clickhouse).to.include({
            ok: false,
            unsupported: true,
            error: unsupported,
          });
        } finally {
          await service.kill('SIGTERM');
        }
      });
    }
  });

  describe('when it is newer than tested', () => {
    beforeEach(() => proxy.setVersion(newVersion));

    it('is accepted by netpanel migrate', async () => {
      const { code, stdout } = await netpanel('migrate', env);
      expect({ code, stdout }).to.deep.equal({
        code: 0,
        stdout: 'Postgres: nothing to do\nClickHouse: nothing to do\n',
      });
    });

    it('is accepted by netpanel doctor with a note', async () => {
      expect((await netpanel('doctor', env)).stdout).to.contain(`ok      ClickHouse: ${warning}\n`);
    });

    it('is accepted by a service with one warning in the log', async () => {
      const service = await startUnready('query', env);
      try {
        for (let probe = 0; probe < 2; probe++) {
          expect((await readinessOf(service)).httpStatus).to.equal(200);
        }
        const lines = service.logLines().filter(({ message }) => message === warning);
        expect(lines.map(({ level }) => level)).to.deep.equal(['warn']);
      } finally {
        await service.kill('SIGTERM');
      }
    });
  });

  it('is rejected with the text of the server if it is not a version', async () => {
    proxy.setVersion('nightly');
    const { code, stderr } = await netpanel('migrate', env);
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      'ClickHouse reports the version "nightly", which must look like 25.8.2.29: ' +
        'netpanel needs 25.8 or later (tested up to 26.9)\n',
    );
  });

  async function databaseNames(): Promise<readonly string[]> {
    const result = await (
      await localStack()
    ).clickhouse.query({ query: 'SELECT name FROM system.databases', format: 'JSONEachRow' });
    return (await result.json<{ name: string }>()).map(({ name }) => name);
  }
});

function netpanel(command: string, env: Readonly<Record<string, string>>) {
  return runNetpanel(env, [command]);
}

/** Does not wait until the service is ready. */
function startUnready(name: 'query' | 'metadata', env: Readonly<Record<string, string>>) {
  return startServiceProcess(name, env, { startedPath: '/healthz' });
}
