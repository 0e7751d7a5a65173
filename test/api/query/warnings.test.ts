import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenant } from '../../support/tenant.ts';

describe('the warnings of a response', () => {
  let api: DataApi;

  before(async () => {
    const { clickhouse, database, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    const download = { agentKey: 0, agentId: 'unknown', dtime: '2026-03-01 10:00:00', mbps: 10 };
    await addDownloads(clickhouse, tenant.organisationId, [download]);
  });

  const metricQuery = {
    ...plainRequest,
    time: { from: '2026-03-01 00:00', to: '2026-03-01 23:59' },
  };
  const testQuery = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };

  for (const [path, body] of [
    ['/metric_data', metricQuery],
    ['/metric_data/explain', metricQuery],
    ['/metric_data.csv', metricQuery],
    ['/metric_data_download', metricQuery],
    ['/test_data', testQuery],
    ['/test_data/explain', testQuery],
    ['/test_data.csv', testQuery],
    ['/test_data_download', testQuery],
  ] as const) {
    it(`200: POST ${path} ignores unknown fields and names them`, async () => {
      const plain = await api.post(path, body);
      expect(plain.status).to.equal(200);
      expect(plain.body).not.to.have.property('warnings');
      const { status, body: answer } = await api.post(path, { ...body, prefiltr: 1, zzzz: 2 });
      expect(status).to.equal(200);
      const [first, second] = answer.warnings ?? [];
      expect(first).to.include({ code: 'UNKNOWN_FIELD', field: 'prefiltr' });
      expect(second).to.include({ code: 'UNKNOWN_FIELD', field: 'zzzz' });
      expect(second?.message).to.match(/^Ignored an unknown field\. Send one of: /);
      if (path.startsWith('/metric_data')) {
        expect(first?.message).to.equal('Ignored an unknown field. Did you mean "prefilter"?');
      }
    });
  }
});
