import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { noCost } from '../../../services/query/execution/query-request.ts';
import { ExportLedger } from '../../../services/query/export/export-ledger.ts';
import { migratePostgres } from '../../../services/schema/postgres/migrate-postgres.ts';
import type { AppError } from '../../../services/shared/errors/app-error.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { type ExportData, exportStatus, startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { emptyIsolatedStores } from '../../support/isolated-stores.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const quotaBytes = 1024 * 1024;
const day = { from: '2026-01-01', to: '2026-01-01' };
const small = { test: 'dns', date: day };
/** 40,000 rows: several times the quota. */
const large = { test: 'httpget', date: day };
describe('the export quota of an organisation', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let storage: ExportStore;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    storage = await exportStore('folder');
    service = await startQueryService({
      ...storage.settings,
      EXPORT_MAX_BYTES_PER_ORGANISATION: String(quotaBytes),
      EXPORT_HEARTBEAT_MS: '100',
    });
  });
  after(async () => {
    await service.stop();
    await storage.stop();
  });
  beforeEach(async () => {
    tenant = await newTenant(stack.database);
    api = new DataApi(service.url, tenant.dataToken);
  });

  it('429: the files of finished exports have reached it, until one is deleted', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000);
    const id = await addExportRow(stack.database, tenant, {
      status: 'done',
      store: storage.store.name,
      byte_count: quotaBytes,
      lost_at: tomorrow,
      expires_at: tomorrow,
    });
    const { status, headers, body } = await api.post('/test_data.csv', small);
    expect(status).to.equal(429);
    expect(body.code).to.equal('RATE_LIMITED');
    expect(body.message).to.include(`${quotaBytes} bytes`).and.to.include('Delete exports');
    expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    const neighbour = await newTenant(stack.database);
    const other = await new DataApi(service.url, neighbour.dataToken).post('/test_data.csv', small);
    expect(other.status).to.equal(200);

    await api.send('DELETE', `/exports/${id}`, {});
    await waitUntil(async () => (await api.post('/test_data.csv', small)).status === 200);
  });

  it('ends an export that exceeds it, removes its file and frees its bytes', async () => {
    await addManyDownloads(stack.clickhouse, tenant.organisationId, 40_000);
    const id = await startExport(api, large);
    await waitUntil(async () => (await exportStatus(api, id)).status === 'failed');
    const { failure } = (await exportStatus(api, id)) as ExportData & {
      failure: { code: string; message: string };
    };
    expect(failure.code).to.equal('RATE_LIMITED');
    expect(failure.message).to.include(`the maximum is ${quotaBytes}`);
    const isOwn = (key: string) => key.includes(`exports/${tenant.organisationId}/`);
    await waitUntil(
      async () => !(await storage.keys()).some(isOwn) && !(await storage.unfinished()).some(isOwn),
    );
    await waitUntil(async () => (await api.post('/test_data.csv', small)).status === 200);
  });
});

describe('the limit of running exports of all organisations', () => {
  it('429: other organisations have reached it', async () => {
    const stores = await emptyIsolatedStores();
    try {
      const { database } = stores;
      await migratePostgres(database);
      const ledger = new ExportLedger(
        { requests: database, background: database },
        'folder',
        60_000,
      );
      const limits = {
        maxRunningExports: 3,
        maxRunningExportsTotal: 2,
        exportMaxBytesPerOrganisation: quotaBytes,
      };
      const begin = async () => {
        const { organisationId } = await newTenant(database);
        const token = await database('api_tokens')
          .where({ organisation_id: organisationId, interface: 'data' })
          .first<{ id: number }>('id');
        const id = randomUUID();
        const task = {
          id,
          organisationId,
          kind: 'test_data',
          format: 'csv',
          key: `exports/${organisationId}/2026-01-01/${id}.csv`,
          metadataVersion: 0,
          request: {},
          attempt: 1,
          createdAt: new Date(),
          route: 'POST /test_data.csv',
          isRowPerResult: true,
          query: { sql: 'SELECT 1', params: {}, printed: 'SELECT 1', knownAt: [] },
          cost: noCost(),
        } as const;
        const fresh = {
          tokenId: token.id,
          destination: 'csv',
          minAgents: null,
          expiresAt: new Date(Date.now() + 86_400_000),
        } as const;
        return ledger.begin(task, fresh, limits).then(
          () => id,
          (error: unknown) => error as AppError,
        );
      };
      const ids = await Promise.all([begin(), begin(), begin(), begin()]);
      const refused = ids.filter((outcome) => typeof outcome !== 'string');
      expect(refused).to.have.length(2);
      for (const { status, publicMessage } of refused) {
        expect(status).to.equal(429);
        expect(publicMessage).to.include('The service already has 2 running exports');
      }
      const started = ids.find((outcome) => typeof outcome === 'string') ?? '';
      const owner = await database('exports')
        .where({ id: started })
        .first<{ organisation_id: number }>('organisation_id');
      await ledger.cancel(owner.organisation_id, started);
      expect(await begin()).to.be.a('string');
    } finally {
      await stores.close();
    }
  });
});
