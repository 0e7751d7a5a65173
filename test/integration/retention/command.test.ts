import { expect } from 'chai';
import { lockTable } from '../../../services/shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../../services/shared/postgres/with-advisory-lock.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { useRetention } from './use-retention.ts';

describe('retention by the command line and the metadata service', () => {
  const retention = useRetention();
  const settings = { RETENTION_RESULTS_DAYS: '365' };

  it('counts with --dry-run what a run removes', async () => {
    await retention.addResults('2020-05-05 00:00:00');
    const dryRun = await command('run', '--dry-run');
    expect(row(dryRun, 'results')).to.include({ days: 365, 'would be removed': 2 });
    expect(await retention.months('test_httpget')).to.deep.equal(['202005']);
    expect(row(await command('run'), 'results')).to.include({ removed: 2, failure: null });
    expect(row(await command('list'), 'results')).to.include({ days: 365, removed: 2 });
  });

  it('runs when the service starts, and when a rule was not complete for a day', async () => {
    await retention.stores
      .database('retention_state')
      .update({ finished_at: new Date('2026-01-01') });
    await retention.addResults('2020-05-05 00:00:00');
    const service = await startServiceProcess('metadata', { ...retention.stores.env, ...settings });
    try {
      await waitUntil(async () => (await retention.months('test_httpget')).length === 0);
      await waitUntil(async () => {
        const stale = await retention.stores
          .database('retention_state')
          .where('finished_at', '<', '2026-01-02')
          .orWhereNotNull('failure');
        return stale.length === 0;
      });
      const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
      expect(text).to.match(/netpanel_retention_removed_rows_total\{rule="results"[^}]*\} 2\n/);
      expect(text).to.match(/netpanel_retention_age_seconds\{[^}]*\} [\d.]+\n/);
    } finally {
      await service.kill('SIGTERM');
    }
  });

  it('is skipped, logged and counted while another process holds its lock', async () => {
    const { database, env } = retention.stores;
    await database('retention_state').update({ finished_at: new Date('2026-01-01') });
    const skipped = await withAdvisoryLock(database, lockTable.retention(), async () => {
      const service = await startServiceProcess('metadata', { ...env, ...settings });
      try {
        await waitUntil(
          async () =>
            /netpanel_retention_skipped_total\{[^}]*\} 1\n/.test(
              await (await fetch(`${service.opsUrl}/metrics`)).text(),
            ),
          60_000,
        );
        return service.logLines().map(({ message }) => message);
      } finally {
        await service.kill('SIGTERM');
      }
    });
    expect(skipped).to.include('retention skipped: another process holds its lock');
  });

  type Listed = Readonly<Record<string, unknown>>;

  async function command(...args: string[]): Promise<readonly Listed[]> {
    const env = { ...retention.stores.env, ...settings };
    const all = ['retention', ...args, '--json'];
    const { code, stdout, stderr } = await runNetpanel(env, all);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout) as Listed[];
  }

  function row(listed: readonly Listed[], rule: string): Listed | undefined {
    return listed.find((one) => one.rule === rule);
  }
});
