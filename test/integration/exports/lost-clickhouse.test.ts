import { expect } from 'chai';
import { startQueryService } from '../../support/query-service.ts';
import { fileData } from '../../support/exported-file.ts';
import { request, rowCount, useSlowExports } from './use-slow-exports.ts';

describe('an export whose replica alone loses ClickHouse', function () {
  this.timeout(180_000);
  const own = useSlowExports({ EXPORT_HEARTBEAT_MS: '100', EXPORT_WAIT_MS: '60000' });

  it('is made by another replica, and the waiting request gets its link', async () => {
    const direct = { CLICKHOUSE_URL: own.stack.clickhouseUrl };
    const replica = await startQueryService(own.settings(direct));
    try {
      // Fills the service's cache, so that the fault hits the export's query.
      await own.api.get('/splits');
      own.proxy.fault({ kind: 'cut', direction: 'to the service' });
      const response = await own.api.post('/test_data.csv', request);
      expect(response.status).to.equal(200);
      expect(fileData(response).rows).to.equal(rowCount);
      const { attempt } = await own.stack
        .database('exports')
        .where({ organisation_id: own.tenant.organisationId })
        .first<{ attempt: number }>('attempt');
      expect(attempt).to.equal(2);
    } finally {
      await replica.stop();
    }
  });
});
