import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads, addManyDownloads } from '../support/downloads.ts';
import { type ExportStore, exportStore } from '../support/export-store.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { localStack } from '../support/local-stack.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { runNetpanel, spawnNetpanel } from '../support/netpanel.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';

const maxSteps = 80;

describe('a process that is killed after each of its statements', function () {
  this.timeout(900_000);
  let stores: IsolatedStores;
  let tenant: Tenant;
  let stepFile: string;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    stepFile = join((await localStack()).stateDir, 'kill-step');
    for (let unitId = 1; unitId <= 5; unitId++) {
      await addAgent(stores.database, tenant.organisationId, { agentId: `box-${unitId}`, unitId });
    }
  });
  after(() => stores.close());
  afterEach(() => rmSync(stepFile, { force: true }));

  const killing = (connections = '') => ({
    NODE_OPTIONS: `--import=${pathToFileURL(join(repositoryRoot, 'dist/test/support/kill-at-step.js')).href}`,
    KILL_STEP_FILE: stepFile,
    KILL_CONNECTIONS: connections,
  });

  /** Runs the command with a kill after each of its statements in turn. The last run is not killed. */
  async function killCommandAtEachStep(
    stride: number,
    round: (
      step: number,
    ) => Promise<{ readonly args: readonly string[]; readonly check: () => Promise<void> }>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    for (let step = 1; step < maxSteps; step += stride) {
      const { args, check } = await round(step);
      writeFileSync(stepFile, String(step));
      const env = { ...stores.env, ...settings };
      const child = spawnNetpanel({ env: { ...env, ...killing() } }, ...args);
      child.stdout.resume();
      child.stderr.resume();
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      rmSync(stepFile);
      const repeated = await runNetpanel(env, args);
      expect(repeated.code, `step ${step}: ${repeated.stderr}`).to.equal(0);
      await check();
      if (code !== null) return step;
    }
    throw new Error(`the command has more than ${maxSteps} statements`);
  }

  it('a load stores every row once when it is repeated', async () => {
    const folder = (await localStack()).stateDir;
    const rowsPerFile = 50;
    const steps = await killCommandAtEachStep(1, (step) => {
      const file = join(folder, 'killed-load.csv');
      const rows = Array.from({ length: rowsPerFile }, (_, i) => {
        const dtime = new Date(Date.UTC(2026, 0, step, 0, i)).toISOString();
        return `${1 + (i % 5)},${dtime.slice(0, 19).replace('T', ' ')},step-${step},1000000,1,3`;
      });
      const header = 'unit_id,dtime,target,bytes_sec,successes,threads';
      writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
      return Promise.resolve({
        args: ['load', '--org', tenant.name, '--test', 'httppost', '--no-wait', file],
        check: async () => {
          const sql = `SELECT toUInt32(count()) AS stored FROM test_httppost FINAL
            WHERE organisation_id = ${tenant.organisationId} AND target = 'step-${step}'`;
          const [row] = await queryRows<{ stored: number }>(stores.clickhouse, sql);
          expect(row?.stored, `step ${step}`).to.equal(rowsPerFile);
        },
      });
    });
    expect(steps).to.be.above(5);
  });

  it('retention removes what is old and nothing else when it is repeated', async () => {
    const settings = { RETENTION_RESULTS_DAYS: '365' };
    const download = (dtime: string) => ({ agentKey: 1, agentId: 'box-1', dtime, mbps: 10 });
    const { clickhouse } = stores;
    const { organisationId } = tenant;
    await addDownloads(clickhouse, organisationId, [download('2026-10-01 10:00:00')]);
    const steps = await killCommandAtEachStep(
      3,
      async () => {
        const old = ['2024-01-01 10:00:00', '2024-03-01 10:00:00'].map(download);
        await addDownloads(clickhouse, organisationId, old);
        return {
          args: ['retention', 'run'],
          check: async () => {
            for (const table of ['test_httpget', 'last_rows_httpget']) {
              const left = await queryRows<{ month: number }>(
                clickhouse,
                `SELECT toUInt32(toYYYYMM(dtime)) AS month FROM ${table}
                 WHERE organisation_id = ${organisationId}`,
              );
              expect(left, table).to.deep.equal([{ month: 202610 }]);
            }
          },
        };
      },
      settings,
    );
    expect(steps).to.be.above(5);
  });

  it('a saved view, its new name and its deletion are complete or absent, and can be repeated', async () => {
    const settings = { ...stores.env, ...killing('^netpanel-query-requests$') };
    let service = await startServiceProcess('query', settings);
    try {
      for (const step of [4, 5, 6, 7]) {
        const name = `view ${step}`;
        const renamed = `renamed ${step}`;
        const listed = async (wanted: string) => {
          const { body } = await apiOf(service).get('/views');
          return (body.data as { id: string; name: string }[]).filter((one) => one.name === wanted);
        };
        const killed = async (request: (api: DataApi) => Promise<unknown>) => {
          service = await whileKilled('query', service, settings, step, () =>
            request(apiOf(service)),
          );
        };
        const save = (api: DataApi) => api.post('/views', { name, state: 'split=isp' });
        await killed(save);
        expect((await save(apiOf(service))).status).to.be.oneOf([200, 422]);
        const [saved, ...others] = await listed(name);
        expect(others).to.deep.equal([]);
        const rename = (api: DataApi) => api.patch(`/views/${saved!.id}`, { name: renamed });
        await killed(rename);
        expect((await rename(apiOf(service))).status).to.equal(200);
        expect(await listed(renamed)).to.have.length(1);
        const remove = (api: DataApi) => api.send('DELETE', `/views/${saved!.id}`, {});
        await killed(remove);
        expect((await remove(apiOf(service))).status).to.be.oneOf([200, 404]);
        expect([...(await listed(name)), ...(await listed(renamed))]).to.deep.equal([]);
      }
    } finally {
      await service.kill('SIGKILL');
    }
  });

  it('an export ends with one complete file', async () => {
    const rowCount = 2_000;
    await addManyDownloads(stores.clickhouse, tenant.organisationId, rowCount);
    const storage: ExportStore = await exportStore('folder');
    const settings = {
      ...stores.env,
      ...storage.settings,
      // Not those of the background, which begin without a request too.
      ...killing('^netpanel-query-requests$'),
      EXPORT_HEARTBEAT_MS: '200',
    };
    let service = await startServiceProcess('query', settings);
    try {
      const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-04' } };
      for (const step of [9, 11, 12, 13, 14]) {
        service = await whileKilled('query', service, settings, step, () =>
          apiOf(service).post('/test_data.csv', request, { prefer: 'respond-async' }),
        );
      }
      const exports = () => stores.database('exports').select<ExportRow[]>('status', 'row_count');
      await waitUntil(async () => (await exports()).every(({ status }) => status !== 'running'));
      const ended = await exports();
      expect(ended.length).to.be.above(0);
      // Those that were recorded, also if their response was lost.
      for (const one of ended) expect(one).to.deep.equal({ status: 'done', row_count: rowCount });
      // The file and its manifest.
      expect(await storage.keys()).to.have.length(2 * ended.length);
      expect(await storage.unfinished()).to.deep.equal([]);
    } finally {
      await service.kill('SIGKILL');
      await storage.stop();
    }
  });

  it('the request of an erasure is complete or absent, and can be repeated', async () => {
    const settings = { ...stores.env, ...killing('^netpanel-metadata-(requests|changes)$') };
    let service = await startServiceProcess('metadata', settings);
    const client = () => metadataClient(service.url, tenant.metadataToken);
    try {
      for (const [i, step] of [3, 6, 8, 10].entries()) {
        const erase = () => client().delete(`/metadata/unit/${i + 1}`);
        service = await whileKilled('metadata', service, settings, step, erase);
        const { status, body } = await erase();
        expect(status).to.be.oneOf([200, 202]);
        const { id } = body.data as { readonly id: string };
        await waitUntil(async () => {
          const { data } = (await client().get(`/erasures/${id}`)).body;
          return (data as { stepsDone: string[] }).stepsDone.includes('exports');
        });
      }
      const agents = await stores.database('agents').orderBy('unit_id').pluck('agent_id');
      expect(agents).to.deep.equal(['box-5']);
      expect(await stores.database('erasures')).to.have.length(4);
    } finally {
      await service.kill('SIGKILL');
    }
  });

  const apiOf = ({ url }: ServiceProcess) => new DataApi(url, tenant.dataToken);

  /** Sends a request to a service that is killed at a step of it, if it has so many. Returns a service that runs. */
  async function whileKilled(
    name: 'query' | 'metadata',
    service: ServiceProcess,
    settings: Readonly<Record<string, string>>,
    step: number,
    request: () => Promise<unknown>,
  ): Promise<ServiceProcess> {
    writeFileSync(stepFile, String(step));
    const sent = await request().then(
      () => 'answered',
      () => 'broken',
    );
    // The work in the background goes on after the response.
    if (sent === 'answered') {
      await waitUntil(() => isDown(service), 3_000).catch(() => undefined);
    }
    rmSync(stepFile);
    await service.kill('SIGKILL');
    return startServiceProcess(name, settings);
  }
});

interface ExportRow {
  readonly status: string;
  readonly row_count: number;
}

async function isDown({ opsUrl }: ServiceProcess): Promise<boolean> {
  return fetch(`${opsUrl}/healthz`).then(
    () => false,
    () => true,
  );
}
