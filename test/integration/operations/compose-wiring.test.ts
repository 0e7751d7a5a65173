import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parse } from 'yaml';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { findGarage, startGarage } from '../../garage/start-garage.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { freePorts } from '../../support/free-ports.ts';
import { readinessOf } from '../../support/readiness-of.ts';
import { expectSentAndExported } from '../../support/sent-and-exported.ts';
import { type ServiceProcess, spawnService } from '../../support/service-process.ts';

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[] };
}

const run = promisify(execFile);
const { services } = parse(
  readFileSync(join(repositoryRoot, 'deploy/docker/compose.yaml'), 'utf8'),
  {
    merge: true,
  },
) as { services: Readonly<Record<string, ComposeService>> };

// Starts what the compose file starts, in its order and with its settings, without a container engine: the
// engines of the test stack take the place of the images, and addresses of this machine that of host names.
describe('the services of the compose file', () => {
  let stores: IsolatedStores;
  let replace: (text: string) => string;
  const stops: (() => Promise<unknown>)[] = [];

  before(async function () {
    const hasPsql = await run('psql', ['--version']).then(
      () => true,
      () => false,
    );
    const garage = await findGarage(process.env.GARAGE);
    if (!hasPsql || garage === undefined) {
      process.stdout.write(
        'Skipped: needs psql (the service "roles") and Garage (make test-garage names it).\n',
      );
      return this.skip();
    }
    stores = await emptyIsolatedStores();
    const store = await objectStore(garage);
    const database = new URL(stores.env.DATABASE_URL!);
    replace = (text) =>
      text
        .replaceAll('${POSTGRES_PASSWORD:?}', database.password)
        .replaceAll('${CLICKHOUSE_PASSWORD:?}', 'unused')
        .replaceAll('${GARAGE_SECRET:?}', store.password)
        .replaceAll('${EXPORT_LINK_SECRET:-}', '')
        .replace(/\$\{\w+:-(\w+)\}/, '$1')
        .replace('@postgres:5432/netpanel', `@${database.host}${database.pathname}`)
        .replace('http://clickhouse:8123', stores.env.CLICKHOUSE_URL!)
        .replace('http://garage.localhost:3900', store.endpoint)
        .replace(
          '/etc/netpanel/regions.geojson',
          join(repositoryRoot, 'deploy/local/sample/regions.geojson'),
        )
        .replace('/sql/roles.sql', join(repositoryRoot, 'deploy/postgres/roles.sql'))
        .replace('/sql/users.sql', join(repositoryRoot, 'deploy/docker/postgres-users.sql'));
    return undefined;
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
    if (stops.length > 0) await stores.close();
  });

  it('create their users, migrate, become ready, store a result and export it', async () => {
    const [psql = '', ...args] = services.roles!.command!.map((text) => replace(text));
    await run(psql, args);
    const [program = '', ...migrate] = services.migrate!.command!;
    await run(process.execPath, [join(repositoryRoot, program), ...migrate], {
      env: environmentOf('migrate'),
    });

    const started = {
      query: await start('query'),
      metadata: await start('metadata'),
      ingest: await start('ingest'),
    };
    for (const service of Object.values(started)) {
      const { status, dependencies } = await readinessOf(service);
      expect(status, JSON.stringify(dependencies)).to.equal('ready');
    }
    for (const [name, service] of Object.entries(started)) {
      const [, command = '', ...rest] = services[name]!.healthcheck!.test!;
      const own = rest.map((text) => text.replace(/http:\/\/127\.0\.0\.1:\d+/, service.opsUrl));
      await run(command, own);
    }
    await expectSentAndExported(stores.database, {
      ingestUrl: started.ingest.url,
      queryUrl: started.query.url,
    });
  });

  async function start(name: 'query' | 'metadata' | 'ingest'): Promise<ServiceProcess> {
    const [port, opsPort] = (await freePorts(2)) as [number, number];
    const service = await spawnService(name, {
      env: {
        ...environmentOf(name),
        // Loopback, and free ports: everything else is the compose file's.
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      },
      port,
      opsPort,
    });
    stops.push(() => service.kill('SIGTERM'));
    return service;
  }

  function environmentOf(name: string): Record<string, string> {
    const given = Object.entries(services[name]?.environment ?? {});
    return {
      PATH: process.env.PATH ?? '',
      ...Object.fromEntries(given.map(([key, value]) => [key, replace(value)])),
      // The database of this test. The embedded server has no users but "default".
      CLICKHOUSE_DATABASE: stores.env.CLICKHOUSE_DATABASE!,
      CLICKHOUSE_USER: stores.env.CLICKHOUSE_USER!,
      CLICKHOUSE_PASSWORD: stores.env.CLICKHOUSE_PASSWORD!,
    };
  }

  /** With the credentials and the bucket of the compose file. */
  async function objectStore(program: string): Promise<{ endpoint: string; password: string }> {
    const garage = await startGarage(program, services.query!.environment!.S3_BUCKET);
    stops.push(() => garage.stop());
    expect(services.query!.environment!.S3_ACCESS_KEY_ID).to.equal(garage.accessKeyId);
    return { endpoint: garage.endpoint, password: garage.secretAccessKey };
  }
});
