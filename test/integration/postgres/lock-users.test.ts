import { expect } from 'chai';
import type { RetentionRule } from '../../../services/metadata/retention/retention-rule.ts';
import { runRetention } from '../../../services/metadata/retention/run-retention.ts';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { auditEndedExports } from '../../../services/query/export/export-audit.ts';
import { SavedViews } from '../../../services/query/views/saved-views.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { publishedMetadata } from '../../support/published-metadata.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const timeoutMs = 60_000;

describe('work that takes different advisory locks', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  let agentKey: number;
  let publisher: Snapshots;

  before(async () => (stores = await isolatedStores()));
  after(() => stores.close());
  beforeEach(async () => {
    tenant = await newTenant(stores.database);
    agentKey = await addAgent(stores.database, tenant.organisationId, {
      agentId: 'box',
      unitId: 1,
    });
    publisher = stores.startPublisher();
    await waitUntil(nothingWaits, timeoutMs);
  });
  afterEach(() => publisher.stop());

  it('publishes changes and snapshots while retention runs', async () => {
    const results = await runWith(async () => {
      await change('gold');
      publisher.wake();
      await waitUntil(async () => (await tier()) === 'gold', timeoutMs);
      const other = await newTenant(stores.database);
      await addAgent(stores.database, other.organisationId, { agentId: 'new', unitId: 2 });
      publisher.wake();
      await waitUntil(nothingWaits, timeoutMs);
    });
    expect(results?.map(({ failure }) => failure)).to.deep.equal([undefined]);
  });

  it('lets one run of retention work', async () => {
    const results = await runWith(async () => {
      expect(await runWith(() => Promise.resolve())).to.equal(undefined);
    });
    expect(results?.map(({ failure }) => failure)).to.deep.equal([undefined]);
  });

  for (const lane of ['changes', 'snapshots'] as const) {
    it(`removes old data, audits exports and saves views while the lane of ${lane} publishes`, async () => {
      const exportId = await addExportRow(stores.database, tenant, {
        store: 'folder',
        status: 'failed',
        failure_code: 'SERVICE_UNAVAILABLE',
        failure_message: 'Interrupted.',
        lost_at: new Date(),
        finished_at: new Date(),
        expires_at: new Date(),
      });
      const { database } = stores;
      const holder = await database.transaction();
      try {
        // The publication waits when it reads the history.
        if (lane === 'changes') await change('silver');
        else
          await addAgent(database, (await newTenant(database)).organisationId, { agentId: 'new' });
        await holder.raw('lock table agent_metadata in access exclusive mode');
        publisher.wake();
        await waitUntil(publicationWaits, timeoutMs);

        expect(await runWith(() => Promise.resolve())).to.have.length(1);
        const audited: string[] = [];
        await auditEndedExports(database, (ended) => {
          audited.push(...ended.map(({ id }) => id));
          return Promise.resolve();
        });
        expect(audited).to.deep.equal([exportId]);
        const saved = new SavedViews(database).save(await caller(), {
          name: lane,
          state: 'metric=httpget',
        });
        expect(await within(5_000, saved)).to.have.property('name', lane);
        expect(await publicationWaits()).to.equal(true);
      } finally {
        await holder.rollback();
      }
      await waitUntil(nothingWaits, timeoutMs);
    });
  }

  function runWith(remove: () => Promise<void>) {
    const now = new Date();
    return runRetention({ database: stores.database, rules: [rule(remove)], actor: 'test', now });
  }

  async function change(value: string): Promise<void> {
    const body = { agent: { unit_id: 1 }, metadata: { custom: { tier: value } } };
    await changeMetadata(stores.database, tenant, body);
  }

  async function tier(): Promise<string> {
    const [row] = await queryRows<{ value: string }>(
      stores.clickhouse,
      `SELECT JSONExtractString(${publishedMetadata('custom_json', agentKey, "now('UTC')")}, 'tier') AS value`,
    );
    return row?.value ?? '';
  }

  async function nothingWaits(): Promise<boolean> {
    return (await stores.database('snapshot_outbox').first('id')) === undefined;
  }

  /** Whether a publisher waits for the history and holds locks. */
  async function publicationWaits(): Promise<boolean> {
    const { rows } = await stores.database.raw<{ rows: unknown[] }>(
      `select 1 from pg_locks where not granted and relation = 'agent_metadata'::regclass`,
    );
    return rows.length > 0;
  }

  async function caller() {
    const token = await stores
      .database('api_tokens')
      .where({ organisation_id: tenant.organisationId, interface: 'data' })
      .first<{ id: number }>('id');
    const { organisationId, name: organisationName } = tenant;
    return { tokenId: token.id, organisationId, organisationName, scopes: [], minAgents: 0 };
  }
});

function rule(remove: () => Promise<void>): RetentionRule {
  return {
    name: 'test',
    days: 1,
    count: () => Promise.resolve(0),
    remove: async function* () {
      await remove();
      yield 0;
    },
  };
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`not finished after ${ms} ms`)), ms).unref();
    }),
  ]);
}
