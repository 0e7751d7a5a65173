import { expect } from 'chai';
import { addExportRow } from '../../support/add-export-row.ts';
import { DataApi } from '../../support/data-api.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface Row {
  readonly status: 'expired' | 'failed';
  readonly expiredDaysAgo: number;
  readonly isSwept: boolean;
}

describe('export records', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let storage: ExportStore;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    storage = await exportStore('folder');
  });
  after(() => storage.stop());

  it('are deleted 90 days after their links expired, unless a file may still exist in a store', async () => {
    const deleted = [
      await addExport({ status: 'expired', expiredDaysAgo: 91, isSwept: true }),
      await addExport({ status: 'failed', expiredDaysAgo: 400, isSwept: true }),
    ];
    const kept = [
      await addExport({ status: 'expired', expiredDaysAgo: 89, isSwept: true }),
      await addExport({ status: 'expired', expiredDaysAgo: 91, isSwept: false }),
    ];
    const service = await startQueryService(storage.settings);
    try {
      await waitUntil(async () => (await stored(deleted)).length === 0);
      expect(await stored(kept)).to.have.members(kept);
      const api = new DataApi(service.url, tenant.dataToken);
      expect((await api.get(`/exports/${deleted[0]}`)).status).to.equal(404);
      expect((await api.get(`/exports/${kept[0]}`)).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  function addExport({ status, expiredDaysAgo, isSwept }: Row): Promise<string> {
    const expiresAt = new Date(Date.now() - expiredDaysAgo * 86_400_000);
    return addExportRow(stack.database, tenant, {
      status,
      // The service would sweep its own store.
      store: 'another',
      lost_at: expiresAt,
      created_at: expiresAt,
      expires_at: expiresAt,
      swept_at: isSwept ? expiresAt : null,
    });
  }

  async function stored(ids: readonly string[]): Promise<string[]> {
    return stack.database('exports').whereIn('id', ids).pluck<string[]>('id');
  }
});
