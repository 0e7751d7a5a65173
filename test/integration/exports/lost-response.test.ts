import { expect } from 'chai';
import { startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { fetched, type FileData } from '../../support/exported-file.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-04' } };

/** An advisory lock that only this test uses. */
const gate = 20_261_115;

describe('an export whose final update was committed, but whose response from Postgres was lost', () => {
  let stack: LocalStack;
  let storage: ExportStore;
  let postgres: TcpProxy;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    const { organisationId, dataToken } = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, organisationId, 1_000);
    await stack.database.raw(lockFinalUpdate(organisationId));
    storage = await exportStore('folder');
    postgres = await startTcpProxy(stack.databaseUrl);
    service = await startQueryService({ ...storage.settings, DATABASE_URL: postgres.url });
    api = new DataApi(service.url, dataToken);
  });

  after(async () => {
    await service.stop();
    await stack.database.raw('drop trigger gate on exports; drop function gate');
    await postgres.stop();
    await storage.stop();
  });

  it('keeps its file', async () => {
    let id = '';
    await stack.database.transaction(async (lock) => {
      await lock.raw('select pg_advisory_xact_lock(?)', [gate]);
      id = await startExport(api, request);
      // The final update waits for the lock in Postgres. Its response will be lost.
      await waitUntil(async () => (await waitingUpdates()) === 1);
      postgres.fault({ kind: 'cut', direction: 'to the service' });
      postgres.heal();
      // Now the update to "failed" waits behind it.
      await waitUntil(async () => (await waitingUpdates()) === 2);
    });
    await waitUntil(async () => (await waitingUpdates()) === 0);

    const { body } = await api.get(`/exports/${id}`);
    expect(body.data).to.deep.include({ status: 'ready', rows: 1_000 });
    const { url, bytes } = body.data as FileData;
    // Waits until the service has given up the export.
    await service.stop(30_000);
    service = await startQueryService(storage.settings);
    const { pathname, search } = new URL(url);
    expect(await fetched(`${service.url}${pathname}${search}`)).to.have.length(bytes);
    expect(await storage.keys()).to.have.length(2);
  });

  async function waitingUpdates(): Promise<number> {
    const { rows } = await stack.database.raw<{ rows: [{ count: number }] }>(
      `select count(*)::int from pg_stat_activity
       where wait_event_type = 'Lock' and query like 'update "exports" set "status"%'`,
    );
    return rows[0].count;
  }
});

/** Makes the final update of an organisation's exports wait for an advisory lock. */
function lockFinalUpdate(organisationId: number): string {
  return `
    create function gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(${gate}); return new; end $$;
    create trigger gate before update on exports for each row
      when (new.status = 'done' and new.organisation_id = ${organisationId})
      execute function gate()`;
}
