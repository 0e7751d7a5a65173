import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { noRateLimits } from '../../support/no-rate-limits.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { startQueryService } from '../../support/query-service.ts';
import { startRecordingProxy } from '../../support/recording-proxy.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const daily = {
  ...plainRequest,
  time: { from: '2026-03-01', to: '2026-03-20' },
};

describe('an answer that is too short to be stored', () => {
  it('is looked up once, and has the entity tag of the results that it was computed from', async () => {
    const { database, clickhouse, clickhouseUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    const agentKey = await addAgent(database, organisationId, { agentId: 'box' });
    const download = { agentKey, agentId: 'box', mbps: 50, dtime: '2026-03-05 12:00:00' };
    await addDownloads(clickhouse, organisationId, [download]);
    await waitUntilPublished(database, organisationId);
    const proxy = await startRecordingProxy(clickhouseUrl);
    const service = await startQueryService({
      ...noRateLimits,
      CLICKHOUSE_URL: proxy.url,
      STORED_ANSWERS_MIN_MS: '3600000',
    });
    try {
      const api = new DataApi(service.url, dataToken);
      const first = await api.post('/metric_data', daily);
      expect(lookups()).to.equal(1);
      const second = await api.post('/metric_data', daily);
      expect(lookups()).to.equal(1);
      expect(second.body).to.deep.equal(first.body);
      expect(first.headers.get('x-netpanel-cache')).to.equal('miss');
      expect(second.headers.get('x-netpanel-cache')).to.equal('miss');
      expect(second.headers.get('etag')).to.equal(first.headers.get('etag'));
      // Another range is another answer.
      await api.post('/metric_data', { ...daily, time: { from: '2026-01-01', to: '2026-03-20' } });
      expect(lookups()).to.equal(2);

      await addDownloads(clickhouse, organisationId, [
        { ...download, mbps: 70, dtime: '2026-03-05 13:00:00' },
      ]);
      // The query starts before the version is known, so its results may be older than the version.
      const later = await api.post('/metric_data', daily);
      expect(later.body).not.to.deep.equal(first.body);
      expect(later.headers.get('etag')).to.equal(null);
      const latest = await api.post('/metric_data', daily);
      expect(latest.body).to.deep.equal(later.body);
      expect(latest.headers.get('etag')).not.to.be.oneOf([null, first.headers.get('etag')]);

      // A client that revalidates always gets a tag.
      await addDownloads(clickhouse, organisationId, [
        { ...download, mbps: 90, dtime: '2026-03-05 14:00:00' },
      ]);
      const outdated = { 'if-none-match': latest.headers.get('etag') ?? '' };
      const changed = await api.post('/metric_data', daily, outdated);
      expect(changed.status).to.equal(200);
      const unchanged = await fetch(`${service.url}/metric_data`, {
        method: 'POST',
        headers: {
          authorization: dataToken,
          'content-type': 'application/json',
          'if-none-match': changed.headers.get('etag') ?? '',
        },
        body: JSON.stringify(daily),
      });
      expect(unchanged.status).to.equal(304);
    } finally {
      await service.stop();
      proxy.stop();
    }

    function lookups(): number {
      return proxy.queries.filter(({ sql }) => sql.includes('FROM stored_answers')).length;
    }
  });
});
