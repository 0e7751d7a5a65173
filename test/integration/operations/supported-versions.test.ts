import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { serverVersion } from '../../../services/shared/clickhouse/server-version.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePorts } from '../../support/free-ports.ts';
import { localStack } from '../../support/local-stack.ts';
import {
  emptyIsolatedStores,
  isolatedStores,
  type IsolatedStores,
} from '../../support/isolated-stores.ts';
import { runBuilt } from '../../support/run-built.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startVersionProxy, type VersionProxy } from './version-proxy.ts';

const oldVersion = '24.3.1.2';
const refusal =
  'ClickHouse 24.3.1.2 is not supported: netpanel needs 25.8 or later (tested up to 26.9)';
const newVersion = '27.1.1.1';
const warning = 'ClickHouse 27.1.1.1 is newer than the newest tested version, 26.9';

describe('the version of ClickHouse', function () {
  this.timeout(180_000);
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
    it('is refused by netpanel migrate, which creates nothing', async () => {
      const empty = await emptyIsolatedStores();
      try {
        const { code, stderr } = await netpanel('migrate', {
          ...env,
          ...empty.env,
          CLICKHOUSE_URL: proxy.url,
        });
        expect({ code, stderr }).to.deep.equal({ code: 1, stderr: `${refusal}\n` });
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
        expect(stdout).to.contain(`not ok  ClickHouse: ${refusal}\n`);
      }
    });

    for (const name of ['query', 'metadata'] as const) {
      it(`keeps the ${name} service from being ready until the server is upgraded`, async () => {
        const service = await startService(name, env);
        try {
          const logged = () => service.logLines().filter(({ message }) => message === refusal);
          // At the start, before anything has asked.
          await waitUntil(() => Promise.resolve(logged().length > 0));
          for (let probe = 0; probe < 2; probe++) {
            const { httpStatus, clickhouse } = await service.readiness();
            expect(httpStatus).to.equal(503);
            expect(clickhouse).to.include({ ok: false, unsupported: true, error: refusal });
          }
          expect(logged().map(({ level }) => level)).to.deep.equal(['error']);

          proxy.setVersion(realVersion);
          const { httpStatus, clickhouse } = await service.readiness();
          expect(httpStatus).to.equal(200);
          expect(clickhouse).to.include({ ok: true, version: realVersion });
          expect(clickhouse).not.to.have.property('unsupported');
        } finally {
          await service.stop();
        }
      });

      it(`is why the ${name} service is not ready, also before the database exists`, async () => {
        const service = await startService(name, { ...env, CLICKHOUSE_DATABASE: 'missing' });
        try {
          const { httpStatus, clickhouse } = await service.readiness();
          expect(httpStatus).to.equal(503);
          expect(clickhouse).to.include({ ok: false, unsupported: true, error: refusal });
        } finally {
          await service.stop();
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

    it('is accepted by netpanel doctor, which mentions it', async () => {
      expect((await netpanel('doctor', env)).stdout).to.contain(`ok      ClickHouse: ${warning}\n`);
    });

    it('is accepted by a service, which logs it once', async () => {
      const service = await startService('query', env);
      try {
        for (let probe = 0; probe < 2; probe++) {
          expect((await service.readiness()).httpStatus).to.equal(200);
        }
        const lines = service.logLines().filter(({ message }) => message === warning);
        expect(lines.map(({ level }) => level)).to.deep.equal(['warn']);
      } finally {
        await service.stop();
      }
    });
  });

  it('that cannot be read is refused with the text that the server sent', async () => {
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
  return runBuilt('services/cli/netpanel.js', env, [command]);
}

/** A service that need not become ready; startServiceProcess waits until it is. */
async function startService(name: 'query' | 'metadata', env: Readonly<Record<string, string>>) {
  const [port, opsPort] = await freePorts(2);
  const child = spawn(process.execPath, [join(repositoryRoot, `dist/services/${name}/main.js`)], {
    env: {
      PATH: process.env.PATH,
      ...env,
      [`${name.toUpperCase()}_PORT`]: String(port),
      [`${name.toUpperCase()}_OPS_PORT`]: String(opsPort),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const isAlive = async () =>
    (await fetch(`${opsUrl}/healthz`).catch(() => undefined))?.ok === true;
  const stop = async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  };
  try {
    await waitUntil(isAlive, 50_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    logLines: () =>
      log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
    readiness: async () => {
      const response = await fetch(`${opsUrl}/readyz`);
      const { dependencies } = (await response.json()) as {
        dependencies: { clickhouse: Readonly<Record<string, unknown>> };
      };
      return { httpStatus: response.status, clickhouse: dependencies.clickhouse };
    },
  };
}
