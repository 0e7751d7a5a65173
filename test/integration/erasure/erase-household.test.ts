import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copySet } from '../../../services/registry/agents/copy-set.ts';
import { testTables } from '../../../services/catalog/test-tables.ts';
import type { Erasure } from '../../../services/metadata/erasure/erasure.ts';
import { runErasure } from '../../../services/metadata/erasure/run-erasure.ts';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { changeAgentSet, membersOf } from '../../../services/registry/agents/agent-sets.ts';
import {
  copyReplicates,
  storeReplicates,
} from '../../../services/registry/weights/weight-replicates.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { DataApi } from '../../support/data-api.ts';
import { erasureTools, requestAgentErasure, untilErased } from '../../support/erase-household.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { addHousehold, addResults } from '../../support/household.ts';
import { queryHouseholds, saveViewsOf } from '../../support/household-requests.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { tablesWith } from '../../support/stored-text.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const erased = {
  agentId: 'Wb-Leaves-7Q',
  unitId: 918_273_645,
  macAddress: '02:5E:A1:90:0C:7B',
};
const neighbour = {
  agentId: 'Wb-Stays-8R',
  unitId: 554_433_221,
  macAddress: '02:5E:A1:90:0C:7C',
};
const erasedTexts = [
  'Wb-Leaves-7Q',
  'wbleaves7q',
  '918273645',
  '02:5E:A1:90:0C:7B',
  '025ea1900c7b',
];
const allTests = Object.keys(testTables).map((key) => `clickhouse.test_${key}`);

describe('erasing a household', () => {
  let stores: IsolatedStores;
  let publisher: Snapshots;
  let service: QueryService;
  let api: DataApi;
  let tenant: Tenant;
  let folder: string;
  let agentKey: number;
  let neighbourKey: number;
  let links: readonly string[];
  let erasure: Erasure;
  let neighbourRowsBefore: unknown;

  before(async () => {
    stores = await isolatedStores();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-erasure-'));
    publisher = stores.startPublisher();
    service = await startQueryService({
      ...stores.env,
      EXPORT_FOLDER: folder,
      EXPORT_HEARTBEAT_MS: '200',
      AUDIT_FLUSH_MS: '100',
    });
    tenant = await newTenant(stores.database);
    api = new DataApi(service.url, tenant.dataToken);
    agentKey = await addHousehold(stores, tenant, erased);
    neighbourKey = await addHousehold(stores, tenant, neighbour);
    await waitUntil(async () => (await stores.database('snapshot_outbox').first()) === undefined);
    const agentKeys = [agentKey, neighbourKey];
    await changeAgentSet(stores.database, tenant.organisationId, 'pilot', agentKeys, {
      replace: false,
    });
    await copySet({ ...stores, cluster: '' }, tenant.organisationId, 'pilot');
    await stores.database.transaction((transaction) =>
      storeReplicates(transaction, {
        ...{ organisationId: tenant.organisationId, key: 'weight', count: 2 },
        validFromUtc: new Date(0),
        factors: agentKeys.map((key) => ({ agentKey: key, fromUtc: new Date(0), factors: [0, 2] })),
      }),
    );
    await copyReplicates({ ...stores, cluster: '' }, tenant.organisationId, 'weight');
    links = await exportAll();
    await queryHouseholds(api, stores.clickhouse, erased, neighbour);
    await saveViewsOf(api, erased, neighbour);
    neighbourRowsBefore = await neighbourRows();
  });
  after(async () => {
    await service.stop(10_000);
    await publisher.stop();
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds the household in every place that the search must cover', async () => {
    // The audit is written some time after the requests.
    await waitUntil(async () =>
      (await tablesWith(stores, erasedTexts)).includes('clickhouse.query_audit'),
    );
    expect(await tablesWith(stores, erasedTexts)).to.include.members([
      'postgres.agents',
      'postgres.agent_metadata',
      'postgres.exports',
      'postgres.metadata_changes',
      'postgres.saved_views',
      'clickhouse.agent_metadata',
      'clickhouse.agent_metadata_known_at',
      'clickhouse.custom_value',
      'clickhouse.query_audit',
      'clickhouse.last_rows_httpget',
      ...allTests,
    ]);
    expect(readdirSync(folder, { recursive: true }).join()).to.include('.csv');
  });

  it('leaves no identifier of it in any table of both databases', async () => {
    const id = await requestAgentErasure(stores.database, tenant, erased.agentId);
    erasure = await untilErased(erasureTools(stores), id);
    expect(await tablesWith(stores, erasedTexts)).to.deep.equal([]);
    const copied = ['agent_set_member', 'weight_replicate'];
    const metadata = ['agent_metadata', 'agent_metadata_known_at', ...copied];
    for (const table of [...metadata, ...allTests.map((name) => name.split('.')[1]!)]) {
      expect(await rowsOf(table, agentKey), table).to.equal(0);
    }
  });

  it('removes it from sets, and keeps the other agents of the set', async () => {
    const { organisationId } = tenant;
    expect(await membersOf(stores.database, organisationId, 'pilot')).to.deep.equal([
      { agentId: neighbour.agentId, unitId: neighbour.unitId },
    ]);
    expect(await rowsOf('agent_set_agents', neighbourKey)).to.equal(1);
    expect(erasure.report.removed).to.include({ agent_set_members: 1, agent_set_member: 1 });
  });

  it('removes its replicate weights, and keeps those of the other agents', async () => {
    const left = await stores.database('weight_replicate_factors').pluck('agent_key');
    expect(left).to.deep.equal([neighbourKey]);
    expect(await rowsOf('weight_replicate', neighbourKey)).to.equal(1);
    expect(erasure.report.removed).to.include({ weight_replicate_factors: 1, weight_replicate: 1 });
  });

  it('deletes saved views that name it, and keeps the others', async () => {
    expect(await stores.database('saved_views').orderBy('name').pluck('name')).to.deep.equal([
      'By ISP',
      `Household ${neighbour.agentId}`,
    ]);
    expect(erasure.report.removed).to.include({ saved_views: 3 });
  });

  it('deletes the rows and does not only hide them', async () => {
    const hidden = await queryRows<{ table: string }>(
      stores.clickhouse,
      `SELECT DISTINCT table FROM system.parts
       WHERE database = currentDatabase() AND active AND has_lightweight_delete`,
    );
    expect(hidden).to.deep.equal([]);
  });

  it('does not leave the identifiers in the text of ClickHouse mutations', async () => {
    const mutations = await queryRows<{ command: string }>(
      stores.clickhouse,
      'SELECT command FROM system.mutations WHERE database = currentDatabase()',
    );
    const commands = mutations.map(({ command }) => command.toLowerCase()).join('\n');
    expect(commands).to.include('query_id');
    for (const text of erasedTexts) expect(commands).not.to.include(text.toLowerCase());
  });

  it('deletes the files of exports, and their links return 410', async () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).to.deep.equal([]);
    const [csv = '', object = ''] = links;
    const response = await fetch(csv);
    expect(response.status).to.equal(410);
    expect(await response.json()).to.deep.equal({
      code: 'EXPORT_ERASED',
      message:
        'The export was deleted, because it may contain an erased household. Please start it again.',
    });
    expect((await fetch(object)).status).to.equal(404);
    const status = await api.get(`/exports/${/csv\/([-0-9a-f]+)/.exec(csv)![1]}`);
    expect(status.body.data).to.deep.include({ status: 'erased' });
  });

  it('reports what was removed, without identifiers', () => {
    const { removed, redacted, exports, hashes } = erasure.report;
    for (const name of allTests) expect(removed[name.split('.')[1]!], name).to.equal(1);
    expect(removed).to.include({ agents: 1, last_rows_httpget: 1, last_rows_traceroute: 1 });
    expect(removed.agent_metadata).to.equal(3);
    expect(redacted).to.include({ metadata_changes: 3, exports: 1 });
    expect(redacted.query_audit).to.be.at.least(3);
    expect(exports).to.equal(3);
    expect(hashes).to.have.length(3);
    expect(JSON.stringify(erasure.report)).not.to.match(new RegExp(erasedTexts.join('|'), 'i'));
    expect(erasure.identifiers).to.equal(null);
  });

  it('keeps everything of its neighbours, and new exports work', async () => {
    expect(await neighbourRows()).to.deep.equal(neighbourRowsBefore);
    expect(await stores.differences()).to.deep.equal([]);
    const [csv = ''] = await exportAll();
    expect((await fetched(csv)).toString()).to.include(neighbour.agentId);
  });

  it('can be repeated when a backup of ClickHouse has brought its results back', async () => {
    await addResults(stores.clickhouse, tenant, erased, agentKey);
    await stores.database.raw(
      `update erasures set steps_done = '{}', identifiers = '{}', ended_at = null`,
    );
    await untilErased(erasureTools(stores), erasure.id);
    expect(await rowsOf('test_httpget', agentKey)).to.equal(0);
    expect(await tablesWith(stores, erasedTexts)).to.deep.equal([]);
    expect(await neighbourRows()).to.deep.equal(neighbourRowsBefore);
  });

  it('keeps who sent a request that named it, but not the request', async () => {
    const audited = await queryRows<{ route: string; request: string }>(
      stores.clickhouse,
      `SELECT route, request FROM query_audit WHERE request LIKE '%erased%' ORDER BY route`,
    );
    expect(audited.length).to.be.at.least(3);
    for (const { request } of audited) {
      expect(request).to.equal(JSON.stringify({ erased: erasure.id }));
    }
    expect(audited.map(({ route }) => route)).to.include('POST /metric_data');
  });

  it('removes results that arrive before its last check, and exports that may contain them', async () => {
    const id = await requestAgentErasure(stores.database, tenant, neighbour.agentId);
    const waiting = erasureTools(stores, { settleMs: 3_600_000 });
    await waitUntil(async () => {
      const running = await runErasure(waiting, id);
      return running?.stepsDone.includes('files') === true;
    });
    await addResults(stores.clickhouse, tenant, neighbour, neighbourKey);
    const [csv = ''] = await exportAll();
    expect((await fetched(csv)).toString()).to.include(neighbour.agentId);

    const done = await untilErased(erasureTools(stores), id);
    expect(done.report.removed).to.include({ test_httpget: 2, last_rows_httpget: 2, test_dns: 2 });
    expect(await rowsOf('test_httpget', neighbourKey)).to.equal(0);
    expect(await rowsOf('last_rows_httpget', neighbourKey)).to.equal(0);
    expect((await fetch(csv)).status).to.equal(410);
  });

  async function exportAll(): Promise<string[]> {
    const days = { test: 'httpget', date: { from: '2026-01-10', to: '2026-01-10' } };
    const csv = fileData(await api.post('/test_data.csv', days));
    const object = fileData(await api.post('/test_data_download', days));
    return [csv.url, object.url];
  }

  async function neighbourRows() {
    const audited = await queryRows<{ request: string }>(
      stores.clickhouse,
      `SELECT request FROM query_audit WHERE position(request, '${neighbour.agentId}') > 0`,
    );
    const history = await stores
      .database('agent_metadata')
      .where({ agent_key: neighbourKey })
      .orderBy('id');
    const results: Record<string, number> = {};
    for (const name of allTests) results[name] = await rowsOf(name.split('.')[1]!, neighbourKey);
    return { audited, history, results };
  }

  async function rowsOf(table: string, key: number): Promise<number> {
    const [row] = await queryRows<{ count: string }>(
      stores.clickhouse,
      `SELECT count() AS count FROM ${table} WHERE agent_key = ${key}`,
    );
    return Number(row!.count);
  }
});
