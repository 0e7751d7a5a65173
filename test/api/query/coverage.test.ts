import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, addPackages, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

// In London the clocks went back on 25 October 2026 at 01:00 UTC: that day has 25 hours. Kathmandu is +05:45.
const households = [
  {
    agentId: 'london',
    kind: 'whitebox',
    periods: [
      { from: '2026-10-01T00:00:00Z', isp: 'Alpha', timezone: 'Europe/London' },
      // Noon in London.
      { from: '2026-10-24T11:00:00Z', isp: 'Beta', timezone: 'Europe/London' },
    ],
    downloads: ['2026-10-24 08:00', '2026-10-24 20:00', '2026-10-25 00:30', '2026-10-25 12:00'],
  },
  {
    agentId: 'kathmandu',
    kind: 'whitebox',
    // 06:00 in Kathmandu.
    periods: [{ from: '2026-10-24T00:15:00Z', isp: 'Beta', timezone: 'Asia/Kathmandu' }],
    downloads: [],
  },
  {
    agentId: 'phone',
    kind: 'mobile',
    periods: [{ from: '2026-10-01T00:00:00Z', isp: 'Beta', timezone: 'Europe/London' }],
    downloads: [],
  },
  // Registered, but never described.
  { agentId: 'unknown', kind: 'whitebox', periods: [], downloads: [] },
] as const;

const daily = {
  ...plainRequest,
  time: { from: '2026-10-24', to: '2026-10-25' },
  coverage: true,
};

interface CoveredPoint {
  readonly isp?: string;
  readonly dtime?: string;
  readonly coverage: unknown;
}

describe('the coverage of a report', () => {
  let url: string;
  let token: string;
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    [url, token] = [queryUrl, tenant.dataToken];
    api = new DataApi(url, token);
    await addPackages(database, tenant.organisationId, { Alpha: ['Basic'], Beta: ['Basic'] });
    for (const { agentId, kind, periods, downloads } of households) {
      const agentKey = await addAgent(database, tenant.organisationId, { agentId, kind });
      for (const { from, isp, timezone } of periods) {
        const validFrom = new Date(from);
        const change = {
          agent: { agent_id: agentId },
          metadata: {
            package: `${isp}:Basic`,
            timezone,
            custom: { area: `area of ${isp}`, floor: isp === 'Alpha' ? 1 : 2 },
          },
          backdate_from: validFrom.getTime() / 1000,
        };
        await changeMetadata(database, tenant, change, validFrom);
      }
      const rows = downloads.map((time) => ({
        agentKey,
        agentId,
        mbps: 50,
        dtime: `${time}:00`,
      }));
      if (rows.length > 0) await addDownloads(clickhouse, tenant.organisationId, rows);
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  /** The coverage of each point, by its splits and bucket. */
  async function coverages(request: object): Promise<Record<string, unknown>> {
    const points = await api.points<CoveredPoint>(request);
    return Object.fromEntries(
      points.map(({ isp = '', dtime = '', coverage }) => [`${isp} ${dtime}`.trim(), coverage]),
    );
  }

  it('expects results for the hours of each agent’s own days, also the 25th hour', async () => {
    expect(await coverages(daily)).to.deep.equal({
      // 24 hours of London and 18 of Kathmandu, one result every two hours.
      '2026-10-24': { expected: 21, received: 2, agents: 2, reporting: 1, share: 0.5 },
      '2026-10-25': { expected: 24.5, received: 2, agents: 2, reporting: 1, share: 0.5 },
    });
  });

  it('expects an agent in each series of a custom field, a text and a number', async () => {
    const byIsp = Object.values(await coverages({ ...daily, splits: ['isp'] }));
    for (const field of ['area', 'floor']) {
      const points = await api.points({ ...daily, splits: [field] });
      expect(points.map(({ coverage }) => coverage)).to.deep.equal(byIsp);
      const values = { area: ['area of Alpha', 'area of Beta'], floor: [1, 2] }[field];
      expect([...new Set(points.map((point) => point[field]))]).to.deep.equal(values);
    }
  });

  it('expects an agent in each series for the hours that it had the ISP', async () => {
    expect(await coverages({ ...daily, splits: ['isp'] })).to.deep.equal({
      'Alpha 2026-10-24': { expected: 6, received: 1, agents: 1, reporting: 1, share: 1 },
      'Beta 2026-10-24': { expected: 15, received: 1, agents: 2, reporting: 1, share: 0.5 },
      'Beta 2026-10-25': { expected: 24.5, received: 2, agents: 2, reporting: 1, share: 0.5 },
    });
    const filters = [{ id: 'isp', filterType: 'exclude', filterValues: ['Beta'] }];
    expect(await coverages({ ...daily, filters })).to.deep.equal({
      '2026-10-24': { expected: 6, received: 1, agents: 1, reporting: 1, share: 1 },
    });
  });

  it('counts only the hours of the window, the repeated one twice', async () => {
    const request = {
      ...daily,
      aggregation: 'total',
      window: { hours: [1] },
      coverage: { resultsPerHour: 2 },
    };
    // London 1 + 2 hours; Kathmandu 1, because it began at 06:00.
    const point = { expected: 8, received: 1, agents: 2, reporting: 1, share: 0.5 };
    expect(await coverages(request)).to.deep.equal({ '': point });
  });

  it('counts only the requested part of the repeated hour, twice', async () => {
    const time = { from: '2026-10-25 01:00:00', to: '2026-10-25 01:49:59' };
    const request = { ...daily, aggregation: 'total', time, coverage: { resultsPerHour: 6 } };
    // London twice 50 minutes, Kathmandu once.
    const point = { expected: 15, received: 1, agents: 2, reporting: 1, share: 0.5 };
    expect(await coverages(request)).to.deep.equal({ '': point });
  });

  it('counts an hour of two ranges once, and parts of an hour', async () => {
    const times = [
      { from: '2026-10-25 10:00:00', to: '2026-10-25 12:29:59' },
      { from: '2026-10-25 12:00:00', to: '2026-10-25 12:44:59' },
    ];
    const request = { ...daily, aggregation: 'total', time: undefined, times };
    const point = { expected: 2.75, received: 1, agents: 2, reporting: 1, share: 0.5 };
    expect(await coverages(request)).to.deep.equal({ '': point });
  });

  it('counts what was received before any result is left out', async () => {
    const household = { statistic: 'mean', minResults: 5 };
    const total = { ...daily, aggregation: 'total', household };
    const point = { expected: 45.5, received: 4, agents: 2, reporting: 1, share: 0.5 };
    expect(await coverages(total)).to.deep.equal({ '': point });
    const suppressed = await coverages({ ...total, minAgents: 2 });
    expect(suppressed['']).to.deep.equal({
      expected: null,
      received: null,
      agents: null,
      reporting: null,
      share: null,
    });
  });

  it('does not expect results of the future', async () => {
    const { expected: untilNow } = (
      await coverages({ ...daily, aggregation: 'total', time: { from: '2026-10-24', to: 'now' } })
    )[''] as { expected: number };
    const { expected } = (
      await coverages({
        ...daily,
        aggregation: 'total',
        time: { from: '2026-10-24', to: '+90 days' },
      })
    )[''] as { expected: number };
    // The time between the two requests: an hour would be one result.
    expect(expected - untilNow).to.be.within(0, 1);
  });

  it('is in columns of its own in CSV', async () => {
    const response = await fetch(`${url}/metric_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({ ...daily, aggregation: 'total' }),
    });
    const [header = '', row = ''] = (await response.text()).split('\n');
    const names = header.replaceAll('"', '').split(',');
    const values = row.split(',');
    const numbers = ['Expected', 'Received', 'Agents', 'Reporting', 'Share'].map(
      (name) => values[names.indexOf(`coverage${name}`)],
    );
    expect(numbers).to.deep.equal(['45.5', '4', '2', '1', '0.5']);
  });

  it('is refused where nothing says what to expect', async () => {
    const refused = async (changes: object) => {
      const { status, body } = await api.post('/metric_data', { ...daily, ...changes });
      expect(status).to.equal(422);
      return body.errors;
    };
    expect(await refused({ metric: 'dnsResponse' })).to.deep.equal({
      coverage: ['The test dns has no schedule. Send { "resultsPerHour": 0.5 }.'],
    });
    expect((await refused({ splits: ['target'] }))?.coverage?.[0]).to.match(/by target/);
    expect(await refused({ overBuckets: 'busiest' })).to.deep.equal({
      coverage: ['Not with overBuckets.'],
    });
    expect(await refused({ coverage: { resultsPerHour: 0 } })).to.have.property(
      'coverage[resultsPerHour]',
    );
  });
});
