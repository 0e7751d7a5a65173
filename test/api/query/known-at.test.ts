import { expect } from 'chai';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { daysAgo, metadataTenant, type MetadataTenant } from '../../support/metadata-tenant.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { waitUntil } from '../../support/wait-until.ts';

type Request = Readonly<Record<string, unknown>>;

/** The bytes of the responses to all requests, while the metadata was as at the moment. */
interface Recorded {
  readonly moment: string;
  readonly answers: readonly string[];
}

const dayMs = 86_400_000;
const firstDay = daysAgo(20) * 1000;
const day = (n: number) => new Date(firstDay + n * dayMs).toISOString().slice(0, 10);

const plain = {
  ...plainRequest,
  time: { from: `${day(0)} 00:00:00`, to: `${day(15)} 23:59:59` },
};

const requests: readonly Request[] = [
  { ...plain, splits: ['isp'] },
  { ...plain, splits: ['package', 'tier'], aggregation: 'weekly' },
  { ...plain, aggregation: 'hourly' },
  { ...plain, aggregation: 'hour_of_day', normalised: true, splits: ['tier'] },
  { ...plain, aggregation: 'day_of_week', agent_agg: true, splits: ['custom.floor', 'country'] },
  { ...plain, aggregation: 'total', filters: [filter('isp', 'include', 'Northwave')] },
  { ...plain, prefilter: true, filters: [filter('tier', 'exclude', 'gold')] },
  { ...plain, metric: 'httpget', filters: [filter('package', 'include', 'Northwave:Fibre 500')] },
  { ...plain, chartType: 'raw', splits: ['isp', 'package', 'tier', 'floor', 'country'] },
];

/** Each is backdated, and changes some of the answers. */
const changes: readonly Request[] = [
  { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Kathmandu' }, backdate_from: daysAgo(12) },
  { agent: { unit_id: 2 }, metadata: { package: 'Breeze:Mobile' }, backdate_from: daysAgo(15) },
  { agent: { unit_id: 1 }, metadata: { custom: { tier: 'tin' } }, backdate_from: daysAgo(10) },
  {
    agent: { unit_id: 3 },
    metadata: { timezone: 'Europe/London' },
    overwrite_all: true,
    backdate_from: daysAgo(26),
  },
  { agent: { unit_id: 2 }, metadata: { package: 'Breeze:' }, backdate_from: daysAgo(9) },
];

function filter(id: string, filterType: string, ...filterValues: readonly string[]) {
  return { id, filterType, filterValues };
}

describe('a request with knownAt', () => {
  let panel: MetadataTenant;
  let queryUrl: string;
  const recorded: Recorded[] = [];

  before(async () => {
    const stack = await localStack();
    queryUrl = stack.queryUrl;
    // The last agent never has metadata.
    panel = await metadataTenant(4);
    await addDownloads(
      stack.clickhouse,
      panel.tenant.organisationId,
      panel.agentKeys.flatMap((agentKey, agent) =>
        Array.from({ length: 48 }, (_, n) => ({
          agentKey,
          agentId: `box-${agent + 1}`,
          unitId: agent + 1,
          // Every eight hours, at 23:30 among others, so that another time zone is often another day.
          dtime: `${day(Math.floor(n / 3))} ${String(7 + 8 * (n % 3)).padStart(2, '0')}:30:00`,
          mbps: 10 * agent + n,
        })),
      ),
    );
    await change({ agent: { unit_id: 1 }, ...household('Northwave:Fibre 500', { tier: 'gold' }) });
    await change({ agent: { unit_id: 2 }, ...household('Northwave:Fibre 100', { tier: 7 }) });
    await change({ agent: { unit_id: 3 }, ...household('Breeze:Mobile', { floor: 3, tier: 'x' }) });
    // The keys of custom fields are cached for some seconds.
    await waitUntil(async () => (await post(requests.at(-1)!)).status === 200);
    recorded.push(await record());
    for (const body of changes) {
      await change(body);
      recorded.push(await record());
    }
  });

  it('finds answers that every change has changed', () => {
    for (const [i, { answers }] of recorded.slice(1).entries()) {
      const changed = answers.filter((answer, n) => answer !== recorded[i]?.answers[n]);
      expect(changed, `change ${i + 1}`).not.to.have.length(0);
    }
  });

  it('gets the answers of that time back', async () => {
    for (const { moment, answers } of recorded) {
      for (const [n, request] of requests.entries()) {
        // The floor is unknown after the fourth change: that request was refused.
        if (!answers[n]?.startsWith('{"code":"OK"')) continue;
        const again = await post({ ...request, knownAt: moment });
        const message = `${JSON.stringify(request)} known at ${moment}`;
        expect(withoutLastDigits(again.text), message).to.equal(withoutLastDigits(answers[n]));
      }
    }
  });

  it('can be split by a custom field that no agent has any more', async () => {
    const request = { ...plain, splits: ['floor'] };
    await waitUntil(async () => (await post(request)).status === 422);
    const { status, text } = await post({ ...request, knownAt: recorded[0]!.moment });
    expect(status, text).to.equal(200);
    expect(text).to.include('"floor":3');
    // The value is not unknown, although no agent has it now.
    const filters = [{ id: 'floor', filterType: 'include', filterValues: ['3'] }];
    const filtered = await post({ ...request, filters, knownAt: recorded[0]!.moment });
    expect(filtered.text).to.include('"floor":3').and.not.to.include('"warnings"');
  });

  it('gets the current answer for the current moment, in each form of a moment', async () => {
    const request = { ...plain, splits: ['isp', 'tier'] };
    const { text: current } = await post(request);
    const now = new Date(Date.now() - 1).toISOString();
    for (const knownAt of [
      now,
      now.replace('T', ' '),
      now.slice(0, 23),
      now.slice(0, 23).replace('T', ' '),
    ]) {
      expect((await post({ ...request, knownAt })).text, knownAt).to.equal(current);
    }
  });

  it('exports the rows of that time, and explains a query that returns them', async () => {
    const { moment, answers } = recorded[0]!;
    const request = { ...requests.at(-1)!, knownAt: moment };
    const points = (JSON.parse(answers.at(-1)!) as Answer).data[0]!.metricData;
    const exported = JSON.parse((await post(request, '/metric_data.csv')).text) as {
      data: { url: string; rows: number };
    };
    expect(exported.data.rows).to.equal(points.length);
    const [, ...lines] = (await (await fetch(exported.data.url)).text()).trim().split('\n');
    expect(lines.map((line) => line.split(',')[1])).to.deep.equal(
      points.map(({ package: name }) => (name === null ? '' : JSON.stringify(name))),
    );
    const explained = JSON.parse((await post(request, '/metric_data/explain')).text) as {
      data: { inlined: string };
    };
    const { clickhouse } = await localStack();
    const rows = await clickhouse.query({ query: explained.data.inlined, format: 'JSONEachRow' });
    expect(await rows.json()).to.deep.equal(points);
  });

  interface Answer {
    readonly data: readonly { readonly metricData: readonly Record<string, unknown>[] }[];
  }

  function household(name: string, custom: object) {
    const metadata = { package: name, timezone: 'America/New_York', custom };
    return { metadata, backdate_from: daysAgo(25) };
  }

  async function change(body: unknown): Promise<void> {
    const { status, body: response } = await panel.client.put(body);
    expect(status, JSON.stringify(response)).to.equal(200);
    await published(panel.database, panel.tenant.organisationId);
  }

  async function record(): Promise<Recorded> {
    const moment = new Date().toISOString();
    const answers: string[] = [];
    for (const request of requests) answers.push((await post(request)).text);
    return { moment, answers };
  }

  async function post(body: Request, path = '/metric_data') {
    const response = await fetch(`${queryUrl}${path}`, {
      method: 'POST',
      headers: { authorization: panel.tenant.dataToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }
});

/**
 * ClickHouse adds up in the order in which its threads read: the last digits of a mean or deviation differ
 * between two runs of the same query. Everything else is compared byte for byte.
 */
function withoutLastDigits(text: string): string {
  return text.replace(/\d+\.\d{9,}/g, (number) => Number(number).toPrecision(12));
}

async function published(database: Database, organisationId: number): Promise<void> {
  const waiting = () => database('snapshot_outbox').where({ organisation_id: organisationId });
  await waitUntil(async () => (await waiting().first<unknown>()) === undefined);
}
