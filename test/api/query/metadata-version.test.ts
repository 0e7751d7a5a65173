import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { daysAgo, metadataTenant, type MetadataTenant } from '../../support/metadata-tenant.ts';

const header = 'Netpanel-Metadata-Version';
const testedOn = new Date(daysAgo(2) * 1000).toISOString().slice(0, 10);
const raw = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '-7 days', to: 'now' },
};

/** Packages and time zones without daylight saving, with their time at 12:00 UTC. */
const changes = [
  { package: 'Northwave:Fibre 500', timezone: 'Asia/Tokyo', clock: '21:00:00' },
  { package: 'Breeze:Mobile', timezone: 'Asia/Kathmandu', clock: '17:45:00' },
  { package: 'Northwave:Fibre 100', timezone: 'Asia/Dubai', clock: '16:00:00' },
  { package: 'Breeze:Mobile', timezone: 'Asia/Kolkata', clock: '17:30:00' },
];

describe('a metadata version', () => {
  let of: MetadataTenant;
  let api: DataApi;

  before(async () => {
    const { clickhouse, queryUrl } = await localStack();
    of = await metadataTenant(1);
    api = new DataApi(queryUrl, of.tenant.dataToken);
    await addDownloads(clickhouse, of.tenant.organisationId, [
      {
        agentKey: of.agentKeys[0]!,
        agentId: 'box-1',
        unitId: 1,
        dtime: `${testedOn} 12:00:00`,
        mbps: 5,
        target: 'a.example',
      },
    ]);
  });

  /** Changes the metadata of the agent, and returns the version. */
  async function change(metadata: object): Promise<number> {
    const { status, body } = await of.client.put({
      agent: { unit_id: 1 },
      metadata,
      backdate_from: daysAgo(20),
    });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ code: 'OK', message: 'Metadata updated successfully' });
    return of.client.lastVersion();
  }

  const demand = (version: number) => ({ [header]: String(version) });

  for (const [round, { clock, ...metadata }] of changes.entries()) {
    it(`lets a query see the ISP, local time and custom key of a change at once, round ${round}`, async () => {
      const key = `key_${round}`;
      const version = await change({ ...metadata, custom: { [key]: `value ${round}` } });
      const { status, headers, body } = await api.post(
        '/metric_data',
        { ...raw, splits: ['isp', key] },
        demand(version),
      );
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(Number(headers.get(header))).to.be.at.least(version);
      expect(body.warnings).to.equal(undefined);
      const [{ metricData }] = body.data as [{ metricData: Record<string, unknown>[] }];
      const isp = metadata.package.split(':')[0];
      expect(metricData.map((point) => [point.isp, point[key], point.dtime])).to.deep.equal([
        [isp, `value ${round}`, `${testedOn}T${clock}`],
      ]);
    });
  }

  it('lets the listings show a new custom key and its values at once', async () => {
    const version = await change({ custom: { listed: 'gold' } });
    const get = async (path: string) => {
      const { headers, body } = await api.send('GET', path, { headers: demand(version) });
      expect(Number(headers.get(header))).to.be.at.least(version);
      return body.data;
    };
    expect(JSON.stringify(await get('/splits'))).to.contain('"listed"');
    expect(await get('/filters/listed/values')).to.deep.equal(['gold']);
  });

  it('is in every response with data', async () => {
    const version = await change({ custom: { everywhere: 1 } });
    const days = { test: 'httpget', date: { from: testedOn, to: testedOn } };
    for (const [path, body] of [
      ['/metric_data', raw],
      ['/metric_data/explain', raw],
      ['/test_data', days],
      ['/test_data/explain', days],
      ['/metric_data.csv', raw],
      ['/test_data_download', days],
    ] as const) {
      const { headers } = await api.post(path, body, demand(version));
      expect(headers.get(header), path).to.equal(String(version));
    }
  });

  it('is kept with an export', async () => {
    const version = await change({ custom: { exported: 1 } });
    const started = await api.post(
      '/test_data.csv',
      { test: 'httpget', date: { from: testedOn, to: testedOn } },
      {
        ...demand(version),
        prefer: 'respond-async',
      },
    );
    const { id } = started.body.data as { id: string };
    const { body } = await api.get(`/exports/${id}`);
    expect(body.data).to.have.property('metadataVersion', version);
  });

  it('rises with every change, and stays when no value changes', async () => {
    const first = await change({ custom: { counted: 'a' } });
    expect(await change({ custom: { counted: 'b' } })).to.equal(first + 1);
    expect(await change({ custom: { counted: 'b' } })).to.equal(first + 1);
    for (const path of ['/metadata/unit/1', '/metadata/unit/1/history']) {
      await of.client.get(path);
      expect(of.client.lastVersion(), path).to.equal(first + 1);
    }
  });

  it('of another organisation is independent', async () => {
    await of.client.get('/metadata/unit/1');
    const before = of.client.lastVersion();
    const { client } = await metadataTenant(1);
    await client.put({ agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } });
    // Its agent is version 1, and the change is version 2.
    expect(client.lastVersion()).to.equal(2);
    await of.client.get('/metadata/unit/1');
    expect(of.client.lastVersion()).to.equal(before);
  });

  it('that does not exist is refused, with the current one', async () => {
    const version = await change({ custom: { latest: 'x' } });
    const { status, body } = await api.post('/metric_data', raw, demand(version + 1));
    expect(status).to.equal(422);
    expect(body.errors).to.deep.equal({
      [header]: [
        `Version ${version + 1} does not exist. The current version of your organisation's metadata is ${version}.`,
      ],
    });
  });

  for (const text of ['', 'abc', '-1', '1.5', '1e3', '0x10', '1, 2', '9'.repeat(16), '٣']) {
    it(`must be a whole number, not ${JSON.stringify(text)}`, async () => {
      const { status, body } = await api.post('/metric_data', raw, {
        [header]: Buffer.from(text).toString('latin1'),
      });
      expect(status).to.equal(422);
      expect(body.errors?.[header]?.[0]).to.contain('Send a whole number of at most 15 digits');
    });
  }
});
