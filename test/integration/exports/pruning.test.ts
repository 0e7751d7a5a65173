import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
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

describe('The memory of exports', function () {
  this.timeout(180_000);
  let stack: LocalStack;
  let tenant: Tenant;
  let at: ExportStore;

  before(async function () {
    this.timeout(400_000);
    stack = await localStack();
    tenant = await newTenant(stack.database);
    at = await exportStore('folder');
  });
  after(() => at.stop());

  it('ends 90 days after their links, except where a file may still lie in a store', async () => {
    const forgotten = [
      await addExport({ status: 'expired', expiredDaysAgo: 91, isSwept: true }),
      await addExport({ status: 'failed', expiredDaysAgo: 400, isSwept: true }),
    ];
    const remembered = [
      await addExport({ status: 'expired', expiredDaysAgo: 89, isSwept: true }),
      await addExport({ status: 'expired', expiredDaysAgo: 91, isSwept: false }),
    ];
    const service = await startQueryService(at.settings);
    try {
      await waitUntil(async () => (await stored(forgotten)).length === 0);
      expect(await stored(remembered)).to.have.members(remembered);
      const api = new DataApi(service.url, tenant.dataToken);
      expect((await api.get(`/exports/${forgotten[0]}`)).status).to.equal(404);
      expect((await api.get(`/exports/${remembered[0]}`)).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  async function addExport({ status, expiredDaysAgo, isSwept }: Row): Promise<string> {
    const id = randomUUID();
    const { database } = stack;
    const token = await database('api_tokens')
      .where({ organisation_id: tenant.organisationId, interface: 'data' })
      .first<{ id: number }>('id');
    const expiresAt = new Date(Date.now() - expiredDaysAgo * 86_400_000);
    await database('exports').insert({
      id,
      organisation_id: tenant.organisationId,
      token_id: token.id,
      kind: 'test_data',
      destination: 'csv',
      format: 'csv',
      request: '{}',
      status,
      // Not the service's own, which it would sweep.
      store: 'another',
      object_key: `exports/${tenant.organisationId}/2026-01-01/${id}.csv`,
      runner_id: randomUUID(),
      lost_at: expiresAt,
      created_at: expiresAt,
      expires_at: expiresAt,
      swept_at: isSwept ? expiresAt : null,
    });
    return id;
  }

  async function stored(ids: readonly string[]): Promise<string[]> {
    return stack.database('exports').whereIn('id', ids).pluck<string[]>('id');
  }
});
