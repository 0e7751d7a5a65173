import { expect } from 'chai';
import { after, before } from 'mocha';
import { retentionRules } from '../../../services/metadata/retention/retention-rules.ts';
import type { RetentionConfig } from '../../../services/metadata/retention/retention-settings.ts';
import { runRetention } from '../../../services/metadata/retention/run-retention.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { addDownloads } from '../../support/downloads.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

export const dayMs = 86_400_000;

export const days: RetentionConfig = {
  retentionResultsDays: 365,
  retentionMetadataVersionsDays: 300,
  retentionAuditDays: 200,
  retentionCallCountsDays: 100,
};

/** Stores of their own with one organisation, for the tests of one describe(). */
export function useRetention() {
  let stores: IsolatedStores;
  let tenant: Tenant;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
  });
  after(() => stores.close());

  const rules = (config: RetentionConfig) =>
    retentionRules(
      { database: stores.database, clickhouse: stores.clickhouse, cluster: '' },
      config,
    );
  const attempt = (config: RetentionConfig, now: Date) =>
    runRetention({ database: stores.database, rules: rules(config), actor: 'test', now });

  return {
    get stores() {
      return stores;
    },
    get tenant() {
      return tenant;
    },
    rules,
    /** undefined: another process has the lock. */
    attempt,

    /** The removed rows by rule. */
    async run(config: RetentionConfig, now: Date): Promise<Record<string, number>> {
      const results = (await attempt(config, now)) ?? expect.fail('another process has the lock');
      for (const { failure } of results) expect(failure).to.equal(undefined);
      return Object.fromEntries(results.map(({ rule, removed }) => [rule.name, removed]));
    },

    async addResults(...times: string[]): Promise<void> {
      await addDownloads(
        stores.clickhouse,
        tenant.organisationId,
        times.map((dtime) => ({ agentKey: 1, agentId: 'a', dtime, mbps: 10 })),
      );
    },

    /** The months that a table has rows of. */
    async months(table: string): Promise<readonly string[]> {
      const rows = await queryRows<{ partition: string }>(
        stores.clickhouse,
        `SELECT DISTINCT partition FROM system.parts
WHERE database = currentDatabase() AND table = '${table}' AND active ORDER BY partition`,
      );
      return rows.map(({ partition }) => partition);
    },
  };
}
