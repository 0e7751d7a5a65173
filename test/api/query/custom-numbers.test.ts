import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { daysAgo, metadataTenant, type MetadataTenant } from '../../support/metadata-tenant.ts';
import { noRateLimits } from '../../support/no-rate-limits.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { startQueryService } from '../../support/query-service.ts';
import { startRecordingProxy } from '../../support/recording-proxy.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const dtime = new Date(daysAgo(1) * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** The same for all changes, so that each replaces the one before it. */
const since = daysAgo(20);

const total = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: '-3 days', to: 'now' },
};
const relative = { ...total, relativeTo: 'custom.speed' };
const weighted = { ...total, household: { statistic: 'mean' }, weight: 'custom.speed' };

const stack = await localStack();

describe('custom fields as numbers', () => {
  let panel: MetadataTenant;
  let api: DataApi;

  before(async () => {
    panel = await metadataTenant(1);
    api = new DataApi(stack.queryUrl, panel.tenant.dataToken);
    await addDownloads(
      stack.clickhouse,
      panel.tenant.organisationId,
      panel.agentKeys.map((agentKey) => ({ agentKey, agentId: 'box-1', dtime, mbps: 50 })),
    );
  });

  it('are those of the metadata that was recorded at knownAt', async () => {
    const asText = await change({ speed: 'fast' });
    const asNumber = await change({ speed: 200 });
    const asNegative = await change({ speed: -5 });
    await change({ speed: null, other: 1 });

    expect(await problemOf(relative)).to.match(/^Unknown field "custom\.speed"/);
    const noNumber = /^No value of custom\.speed is a number in the metadata of knownAt\./;
    expect(await problemOf({ ...relative, knownAt: asText })).to.match(noNumber);
    expect(await valueOf({ ...relative, knownAt: asNumber })).to.equal(25);
    expect(await valueOf({ ...weighted, knownAt: asNumber })).to.equal(50);
    expect(await problemOf({ ...weighted, knownAt: asNegative })).to.equal(
      'custom.speed has negative values, such as -5.',
    );
  });

  it('are the same with and without knownAt, however they are written', async () => {
    const texts = ['7', '+7', '-7', '7.', '.7', '7e2', '7E-2', '1e-400'];
    const others = [' 7', '7 ', '7 Mbit/s', '0x7', 'e7', '.', '-', '1e'];
    const special = ['inf', 'NaN', '1e400', '-1e400', '1'.padEnd(400, '0')];
    const written = [...texts, ...others, ...special, 7, 1e15, 1e-308];
    const custom = Object.fromEntries(written.map((text, i) => [`n${i}`, text]));
    const knownAt = await change(custom);
    const numbers: unknown[] = [];
    for (const [i, text] of written.entries()) {
      const request = { ...weighted, weight: `custom.n${i}` };
      const [now, then] = await Promise.all([
        api.post('/metric_data/explain', request),
        api.post('/metric_data/explain', { ...request, knownAt }),
      ]);
      const message = `${text}: ${JSON.stringify([now.body.errors, then.body.errors])}`;
      expect(then.status, message).to.equal(now.status);
      if (now.status === 200) numbers.push(text);
    }
    expect(numbers).to.include.members(['7', '.7', '7e2', 7, 1e15]);
    expect(numbers).not.to.include.members(['7 Mbit/s']);
  });

  it('are read once for each version of the metadata', async () => {
    await change({ speed: 200 });
    const { clickhouseUrl } = stack;
    const proxy = await startRecordingProxy(clickhouseUrl);
    const service = await startQueryService({ ...noRateLimits, CLICKHOUSE_URL: proxy.url });
    const reads = () => proxy.queries.filter(({ sql }) => sql.includes('custom[key]')).length;
    try {
      const cached = new DataApi(service.url, panel.tenant.dataToken);
      const post = () => valueOf(relative, cached);
      // A read is repeated if metadata is published meanwhile: there may be more than one.
      expect(await post()).to.equal(25);
      const first = reads();
      expect([await post(), reads()]).to.deep.equal([25, first]);
      await change({ speed: 100 });
      expect(await post()).to.equal(50);
      const second = reads();
      expect(second).to.be.above(first);
      expect([await post(), reads()]).to.deep.equal([50, second]);
    } finally {
      await service.stop();
      proxy.stop();
    }
  });

  async function valueOf(request: object, client = api): Promise<unknown> {
    return (await client.points(request))[0]?.metricValue;
  }

  async function problemOf(request: object): Promise<string | undefined> {
    const { status, body } = await api.post('/metric_data', request);
    expect(status, JSON.stringify(body)).to.equal(422);
    return Object.values(body.errors ?? {})[0]?.[0];
  }

  /** Returns a moment at which the change was the last one. */
  async function change(custom: object): Promise<string> {
    const { status, body } = await panel.client.put({
      agent: { unit_id: 1 },
      metadata: { timezone: 'UTC', custom },
      backdate_from: since,
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    await waitUntilPublished(panel.database, panel.tenant.organisationId);
    return new Date().toISOString();
  }
});
