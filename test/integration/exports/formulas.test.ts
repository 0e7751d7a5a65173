import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { recordHistory } from '../../support/record-history.ts';
import { startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

const targets = ['=1+1', '+44', '-2', '@sum', '\tx', '\rx', 'a=b', '"=1"', ''];

describe('EXPORT_ESCAPE_FORMULAS', () => {
  it('puts a quote before texts that a spreadsheet would evaluate, and changes nothing else', async () => {
    const { database, clickhouse } = await localStack();
    const tenant = await newTenant(database);
    const agent = { agentId: '=agent', unitId: 1 };
    const agentKey = await addAgent(database, tenant.organisationId, agent);
    await addDownloads(
      clickhouse,
      tenant.organisationId,
      targets.map((target, i) => ({
        agentKey,
        ...agent,
        dtime: `2026-03-01 00:00:0${i}`,
        mbps: 8,
        target,
      })),
    );
    await recordHistory(database, tenant.organisationId, async (transaction, changeId) => {
      await transaction('agent_metadata').insert({
        agent_key: agentKey,
        organisation_id: tenant.organisationId,
        valid: '(,)',
        custom: { '=key': '=value', level: -7 },
        recorded_at: new Date(),
        recorded_by: changeId,
      });
    });
    const plain = await startQueryService({});
    const escaping = await startQueryService({ EXPORT_ESCAPE_FORMULAS: 'true' });
    try {
      const raw = {
        metric: 'httpget',
        chartType: 'raw',
        normalised: false,
        prefilter: false,
        splits: ['target', 'threads'],
        time: { from: '2026-03-01 00:00', to: '2026-03-01 01:00' },
      };
      const before = await csv(plain.url, '/metric_data.csv', raw);
      const after = await csv(escaping.url, '/metric_data.csv', raw);
      expect(after).to.equal(before.replaceAll(/(?<=[,\n])"(?=[=+\-@\t\r])/g, `"'`));
      expect(after).to.include(`"'=1+1",3,8,"2026-03-01T00:00:00","'=agent","1"\n`);

      const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };
      const rows = await csv(escaping.url, '/test_data.csv', march);
      for (const target of ['=1+1', '+44', '-2', '@sum', '\tx', '\rx']) {
        expect(rows).to.include(`"'${target}"`);
      }
      expect(rows).to.include('"a=b"').and.to.include('"""=1"""');

      const custom = { ...raw, splits: ['=key', 'level'] };
      const [header, first] = (await csv(escaping.url, '/metric_data.csv', custom)).split('\n');
      expect(header).to.match(/^"'=key","level","metricValue"/);
      expect(first).to.match(/^"'=value",-7,8,/);
    } finally {
      await plain.stop();
      await escaping.stop();
    }

    async function csv(url: string, path: string, body: unknown): Promise<string> {
      const data = fileData(await new DataApi(url, tenant.dataToken).post(path, body));
      return (await fetched(data.url)).toString();
    }
  });
});
