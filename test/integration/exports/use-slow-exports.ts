import { after, afterEach, before } from 'mocha';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

export const rowCount = 100_000;
/** All rows of the organisation. */
export const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };

export interface SlowExports {
  readonly stack: LocalStack;
  readonly tenant: Tenant;
  readonly storage: ExportStore;
  /** Between the service and ClickHouse. Healed after each test. */
  readonly proxy: TcpProxy;
  readonly service: QueryService;
  readonly api: DataApi;
  /** Settings of the service, for another one that shares its exports. */
  settings(changes: Readonly<Record<string, string>>): Record<string, string>;
}

/** A query service whose exports a proxy can hold, for the tests of one describe(). */
export function useSlowExports(own: Readonly<Record<string, string>>): SlowExports {
  const parts = {} as { -readonly [K in keyof Omit<SlowExports, 'settings'>]: SlowExports[K] };
  const settings = (changes: Readonly<Record<string, string>>) => ({
    ...parts.storage.settings,
    CLICKHOUSE_URL: parts.proxy.url,
    ...own,
    ...changes,
  });

  before(async () => {
    parts.stack = await localStack();
    const { database, clickhouse, clickhouseUrl } = parts.stack;
    parts.tenant = await newTenant(database);
    await addManyDownloads(clickhouse, parts.tenant.organisationId, rowCount);
    parts.storage = await exportStore('folder');
    parts.proxy = await startTcpProxy(clickhouseUrl);
    parts.service = await startQueryService(settings({}));
    parts.api = new DataApi(parts.service.url, parts.tenant.dataToken);
  });
  afterEach(() => parts.proxy.heal());
  after(async () => {
    await parts.service.stop();
    await parts.proxy.stop();
    await parts.storage.stop();
  });
  return Object.assign(parts, { settings });
}
