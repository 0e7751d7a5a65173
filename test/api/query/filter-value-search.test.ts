import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { startQueryService } from '../../support/query-service.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const day = 86_400;
const unixNow = Math.floor(Date.now() / 1000);

/** `2026-11-10` */
function utcDay(daysAgo: number): string {
  return new Date((unixNow - daysAgo * day) * 1000).toISOString().slice(0, 10);
}

describe('the search for filter values', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let api: DataApi;
  const targets = [
    ...['wave', 'Wave 2', 'Northwave', 'new wave', 'Micro-wave', 'ÉCOLE wave', 'Zürich', 'ΣΑΣ'],
    ...['Cafe\u0301 Paris', 'Café Rome', 'a%b_c', 'a\\b', '(x)+[y]'],
  ];

  before(async () => {
    stack = await localStack();
    const { database, clickhouse, queryUrl } = stack;
    tenant = await newTenant(database);
    const { organisationId, dataToken } = tenant;
    api = new DataApi(queryUrl, dataToken);
    await addPackages(database, organisationId, {
      Northwave: ['Fibre 100', 'Fibre 500'],
      Breeze: ['Mobile'],
    });
    const agent = { agentId: 'box-1', unitId: 1 };
    const agentKey = await addAgent(database, organisationId, agent);
    const download = { ...agent, agentKey, mbps: 5, dtime: '2026-02-01 10:00:00' };
    await addDownloads(
      clickhouse,
      organisationId,
      targets.map((target) => ({ ...download, target })),
    );
    await addDownloads(clickhouse, organisationId, [
      { ...download, target: 'march.example', threads: 7, dtime: '2026-03-31 23:30:00' },
      // 04:45 of the next day in Kathmandu.
      { ...download, target: 'local.example', dtime: `${utcDay(6)} 23:00:00` },
    ]);
    // Breeze until ten days ago, then Northwave; the tier 'draft' is superseded and was never in use.
    const change = (metadata: object, daysAgo: number) =>
      changeMetadata(database, tenant, {
        agent: { agent_id: 'box-1' },
        metadata: { timezone: 'Asia/Kathmandu', ...metadata },
        backdate_from: unixNow - daysAgo * day,
      });
    await change({ package: 'Breeze:Mobile', custom: { tier: 'draft' } }, 20);
    await change({ package: 'Breeze:Mobile', custom: { tier: 'bronze' } }, 20);
    await change({ package: 'Northwave:Fibre 100', custom: { tier: 'gold' } }, 10);
    await waitUntil(async () => {
      const { status, body } = await api.get('/filters/custom.tier/values');
      return status === 200 && (body.data as string[]).includes('gold');
    });
  });

  const valuesOf = async (field: string, parameters: Record<string, string> = {}) => {
    const query = new URLSearchParams(parameters).toString();
    const { status, body } = await api.get(`/filters/${field}/values?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data as string[];
  };
  const found = (search: string) => valuesOf('target', { search });

  it('ranks equal values first, then beginnings, beginnings of a word, and other parts', async () => {
    expect(await found('WAVE')).to.deep.equal([
      ...['wave', 'Wave 2'],
      ...['Micro-wave', 'new wave', 'ÉCOLE wave'],
      'Northwave',
    ]);
  });

  it('finds values with every word of the search, in any order', async () => {
    expect(await found('2 wave')).to.deep.equal(['Wave 2']);
    expect(await valuesOf('package', { search: 'fibre' })).to.deep.equal(['Northwave:Fibre 100']);
    expect(await valuesOf('package', { search: '100  north' })).to.deep.equal([
      'Northwave:Fibre 100',
    ]);
    expect(await valuesOf('isp', { search: 'wave' })).to.deep.equal(['Northwave']);
  });

  it('ignores the case of letters outside ASCII, and how accents are stored', async () => {
    expect(await found('école')).to.deep.equal(['ÉCOLE wave']);
    expect(await found('ZÜRICH')).to.deep.equal(['Zürich']);
    expect(await found('σας')).to.deep.equal(['ΣΑΣ']);
    for (const search of ['CAFÉ', 'cafe\u0301']) {
      expect(await found(search)).to.have.members(['Cafe\u0301 Paris', 'Café Rome']);
    }
  });

  it('takes wildcards and regular expressions literally', async () => {
    expect(await found('%')).to.deep.equal(['a%b_c']);
    expect(await found('_')).to.deep.equal(['a%b_c']);
    expect(await found('\\')).to.deep.equal(['a\\b']);
    expect(await found('(X)+[')).to.deep.equal(['(x)+[y]']);
    expect(await found('.*')).to.deep.equal([]);
  });

  it('does not list values that no result can have', async () => {
    expect(await valuesOf('custom.tier')).to.deep.equal(['bronze', 'gold']);
    expect(await valuesOf('package')).to.deep.equal(['Breeze:Mobile', 'Northwave:Fibre 100']);
    const demo = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN ?? '');
    // A failed video test has the resolution 0, and no result.
    expect((await demo.get('/filters/resolution/values')).body.data).to.deep.equal([
      ...['720', '1080', '2160'],
    ]);
  });

  it('lists the metadata that agents had in a time', async () => {
    const between = (fromDaysAgo: number, toDaysAgo: number) => ({
      from: `-${fromDaysAgo} days`,
      to: `-${toDaysAgo} days`,
    });
    expect(await valuesOf('isp', between(15, 12))).to.deep.equal(['Breeze']);
    expect(await valuesOf('isp', between(15, 5))).to.deep.equal(['Breeze', 'Northwave']);
    expect(await valuesOf('isp', between(5, 1))).to.deep.equal(['Northwave']);
    expect(await valuesOf('custom.tier', between(40, 30))).to.deep.equal([]);
    const localHour = (shiftS: number) => {
      const kathmanduS = 20_700;
      const iso = new Date((unixNow - 10 * day + kathmanduS + shiftS) * 1000).toISOString();
      return iso.slice(0, 19).replace('T', ' ');
    };
    const before = { from: localHour(-3600), to: localHour(-60) };
    expect(await valuesOf('isp', before)).to.deep.equal(['Breeze']);
    const after = { from: localHour(60), to: localHour(3600) };
    expect(await valuesOf('isp', after)).to.deep.equal(['Northwave']);
  });

  it('lists the values, agents and units of the results in a time, in local time', async () => {
    const march = { from: '2026-03-01', to: '2026-03-31 23:59:59' };
    expect(await valuesOf('target', march)).to.deep.equal(['march.example']);
    expect(await valuesOf('threads', march)).to.deep.equal(['7']);
    expect(await valuesOf('agent', march)).to.deep.equal(['box-1']);
    expect(await valuesOf('unit', march)).to.deep.equal(['1']);
    expect(await valuesOf('target', { from: '2026-04-01', to: '2026-04-30' })).to.deep.equal([]);
    expect(await valuesOf('agent', { from: '2026-04-01', to: '2026-04-30' })).to.deep.equal([]);
    const onDay = (daysAgo: number) => ({ from: utcDay(daysAgo), to: utcDay(daysAgo) });
    expect(await valuesOf('target', onDay(6))).to.deep.equal([]);
    expect(await valuesOf('target', onDay(5))).to.deep.equal(['local.example']);
    const february = { from: '2026-02-01', to: '2026-02-28', search: 'wave', limit: '2' };
    expect(await valuesOf('target', february)).to.deep.equal(['wave', 'Wave 2']);
  });

  it('pages through all values once, by the link to the next page', async () => {
    const { clickhouse } = stack;
    const numbers = Array.from({ length: 2_500 }, (_, i) => `page ${i}`);
    await addDownloads(
      clickhouse,
      tenant.organisationId,
      numbers.map((target) => {
        const dtime = '2025-01-01 10:00:00';
        return { agentKey: 1, agentId: 'box-1', mbps: 5, dtime, target };
      }),
    );
    const pages: string[][] = [];
    let path: string | undefined = '/filters/target/values?search=page&limit=1000';
    while (path !== undefined) {
      const { headers, body } = await api.get(path);
      pages.push(body.data as string[]);
      const { next } = body as { next?: string };
      expect(headers.get('link')).to.equal(next === undefined ? null : `<${next}>; rel="next"`);
      path = next;
      // A value that is added on a page already read does not shift the next page.
      if (pages.length === 1) {
        const added = { agentKey: 1, agentId: 'box-1', mbps: 5, dtime: '2025-01-01 11:00:00' };
        await addDownloads(clickhouse, tenant.organisationId, [{ ...added, target: 'page 0a' }]);
      }
    }
    expect(pages.map((page) => page.length)).to.deep.equal([1_000, 1_000, 500]);
    expect(pages.flat()).to.deep.equal([...numbers].sort());
  });

  it('continues after a text with NUL as after the text before it', async () => {
    const page = (after: string) =>
      api.get(`/filters/target/values?search=page&limit=2&after=${after}`);
    const { body } = await page('page%2010%00x');
    expect(body.data).to.deep.equal(['page 100', 'page 1000']);
    expect((await page('%00')).status).to.equal(200);
  });

  it('links to values and to pages under PUBLIC_URL', async () => {
    const service = await startQueryService({ PUBLIC_URL: 'https://data.example/panel/' });
    try {
      const behindProxy = new DataApi(service.url, tenant.dataToken);
      const filters = (await behindProxy.get('/filters')).body.data as { id: string }[];
      expect(filters.find(({ id }) => id === 'isp')).to.include({
        values: 'https://data.example/panel/filters/isp/values',
      });
      const { body } = await behindProxy.get('/filters/isp/values?limit=1&from=-30%20days&to=now');
      expect(body.data).to.deep.equal(['Breeze']);
      expect(body).to.have.property(
        'next',
        'https://data.example/panel/filters/isp/values?limit=1&from=-30+days&to=now&after=Breeze',
      );
    } finally {
      await service.stop();
    }
  });

  it('422: one bound without the other, an invalid time, or a range over the limit', async () => {
    for (const [query, field] of [
      ['from=2026-01-01', 'to'],
      ['to=2026-01-01', 'from'],
      ['from=yesterday&to=now', 'from'],
      ['from=2026-02-01&to=2026-01-01', 'from'],
      ['from=2001-01-01&to=2026-01-01', 'from'],
    ] as const) {
      const { status, body } = await api.get(`/filters/isp/values?${query}`);
      expect(status, query).to.equal(422);
      expect(body.errors, query).to.have.all.keys(field);
    }
  });
});
