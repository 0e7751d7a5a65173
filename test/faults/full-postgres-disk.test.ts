import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { minutesAgo, ndjson, postResults } from '../support/ingest-tenant.ts';
import { snapshotDifferences } from '../support/isolated-stores.ts';
import { newTenantToken } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type FaultPanel, faultPanel } from './fault-panel.ts';
import { recoveryMs } from './fault-settings.ts';
import { type IsolatedSystem, startIsolatedSystem } from './isolated-system.ts';
import { PanelClient } from './panel-client.ts';

const name = 'full-postgres-disk';

// Mounting a small disk needs root.
if (process.getuid?.() === 0) {
  describe('a full disk under Postgres', function () {
    this.timeout(5 * recoveryMs);
    const disk = join(repositoryRoot, '.local', `${name}-${process.pid}`, 'postgres');
    const filler = join(disk, 'filler');
    let system: IsolatedSystem;
    let panel: FaultPanel;
    let client: PanelClient;
    let ingestToken: string;

    before(async () => {
      mkdirSync(disk, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=250m', 'tmpfs', disk]);
      system = await startIsolatedSystem(name, { TOKEN_CACHE_MS: '500' }, [
        'metadata',
        'query',
        'ingest',
      ]);
      panel = await faultPanel(system.database, system.clickhouse, 1_000);
      client = new PanelClient(panel, system);
      ingestToken = await newTenantToken(system.database, panel.tenant.organisationId, 'data', {
        scopes: ['results:write'],
      });
      await waitUntil(async () => (await client.queryByRound().catch(() => undefined)) === 0);
    });
    after(async () => {
      await (system as IsolatedSystem | undefined)?.stop().catch(() => undefined);
      execFileSync('umount', ['--lazy', disk]);
      rmSync(join(disk, '..'), { recursive: true, force: true });
    });

    it('is a 503, stores nothing in part, and is over when space is free again', async () => {
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)));
      // PanelClient accepts only 200, 429, 503 and 504. The free pages of the tables are used up first.
      let round = 0;
      await waitUntil(async () => !(await client.putRound(++round)), recoveryMs);
      const posted = Array.from({ length: 20 }, (_, i) => i);
      const first = await Promise.all(posted.map((i) => post(i)));
      for (const status of first) expect(status).to.be.oneOf([200, 503]);
      expect(await client.putRound(++round)).to.equal(false);

      rmSync(filler);
      // Postgres ends when it cannot write its log. Kubernetes starts it again.
      await system.database.raw('select 1').catch(async () => {
        await system.kill('postgres').catch(() => undefined);
        await system.start('postgres');
      });
      await waitUntil(() => hasRecovered(), recoveryMs);
      const known = await Promise.all([1, 77, 200].map((unit) => client.roundOf(unit)));
      expect(new Set(known).size, 'a change was applied in part').to.equal(1);
      expect(known[0]).to.be.within(client.acknowledged, round - 1);
      await waitUntil(() => client.putRound(++round), recoveryMs);
      await waitUntil(async () => (await client.queryByRound()) === round, recoveryMs);
      expect(await snapshotDifferences(system.database, system.clickhouse)).to.deep.equal([]);
      for (const i of posted) await waitUntil(async () => (await post(i)) === 200, recoveryMs);
      const stored = await queryRows<{ target: string }>(
        system.clickhouse,
        "SELECT target FROM test_httppost FINAL WHERE target LIKE 'full-%'",
      );
      expect(stored.map(({ target }) => target)).to.have.members(posted.map((i) => `full-${i}`));
    });

    /** With a key, which is a row in Postgres. */
    async function post(i: number): Promise<number> {
      const row = { unit_id: 1, dtime: sentAt, target: `full-${i}`, bytes_sec: 1, successes: 1 };
      const headers = { 'Idempotency-Key': `full-${i}` };
      const path = '/results/httppost';
      const { ingestUrl } = system;
      return (await postResults(ingestUrl, ingestToken, path, ndjson(row), headers)).status;
    }

    async function hasRecovered(): Promise<boolean> {
      for (const url of system.opsUrls) {
        if (!(await fetch(`${url}/readyz`)).ok) return false;
      }
      return existsSync(disk) && (await client.roundOf(1)) !== undefined;
    }
  });
}

const sentAt = minutesAgo(60);
