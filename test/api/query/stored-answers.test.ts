import { expect } from 'chai';
import { emptyRecord } from '../../../services/registry/agents/agent-record.ts';
import { copySet } from '../../../services/registry/agents/copy-set.ts';
import { importAgents } from '../../../services/metadata/history/import-agents.ts';
import { changeAgentSet } from '../../../services/registry/agents/agent-sets.ts';
import { customLimitSettings } from '../../../services/registry/organisations/custom-limits.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';
import { aggregations, bucketOf } from '../../reference/bucket.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { noRateLimits } from '../../support/no-rate-limits.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const daily = {
  ...plainRequest,
  splits: ['area'],
  time: { from: '2026-03-01', to: '2026-03-20' },
};

const stack = await localStack();

describe('a stored answer', () => {
  let service: QueryService;
  let tenant: Tenant;
  const agentKeys = new Map<string, number>();

  before(async () => {
    service = await startQueryService({ ...noRateLimits, STORED_ANSWERS_MIN_MS: '0' });
    tenant = await newTenant(stack.database);
    const box = await addAgent(stack.database, tenant.organisationId, { agentId: 'box' });
    agentKeys.set('box', box);
    await moveTo('north', '2026-02-01');
    for (let day = 1; day <= 20; day++) await addResult(day, 50 + day);
  });
  after(() => service.stop());

  it('is used for the same request, and has the same bytes', async () => {
    const first = await ask(daily);
    expect(first.state).to.equal('miss');
    const second = await stored(daily);
    expect(second).to.deep.include({ state: 'hit', text: first.text, tag: first.tag });
    expect((await ask(daily, { accept: 'application/x-ndjson' })).state).to.equal('miss');
  });

  it('is used for the days that another range has in common with it', async () => {
    await stored(daily);
    const longer = { ...daily, time: { from: '2026-02-25', to: '2026-03-10' } };
    const { state, text } = await ask(longer);
    expect(state).to.equal('partial');
    expect(text).to.equal((await computed(longer)).text);
  });

  it('has no marks of partial days: they follow the range of each request', async () => {
    const cut = { ...daily, time: { from: '2026-03-03 06:00:00', to: '2026-03-09 18:00:00' } };
    const { text, state } = await stored(cut);
    expect(state).to.equal('hit');
    expect(text).to.equal((await computed(cut)).text);
    expect(partialDays(text)).to.deep.equal(['2026-03-03', '2026-03-09']);
    expect(partialDays((await ask(daily)).text)).to.deep.equal([]);
  });

  it('has each bucket of every aggregation once, and whole', async () => {
    const { clickhouse } = stack;
    const years = await newTenant(stack.database);
    const key = await addAgent(stack.database, years.organisationId, { agentId: 'box' });
    const days = ['2023-07-30', '2023-12-31', '2024-01-01', '2024-02-29', '2024-12-31'];
    const dtimes = [...days, '2025-01-01', '2025-07-15'].map((day) => `${day} 12:00:00`);
    await addDownloads(
      clickhouse,
      years.organisationId,
      dtimes.map((dtime) => ({ agentKey: key, agentId: 'box', mbps: 50, dtime })),
    );
    await waitUntilPublished(stack.database, years.organisationId);
    const headers = { authorization: years.dataToken };
    const unsplit = { ...daily, splits: [] };
    for (const aggregation of aggregations) {
      const request = (from: string, to: string) => ({
        ...unsplit,
        aggregation,
        time: { from, to },
      });
      // The second range begins and ends within pieces of the first.
      const first = request('2023-07-01', '2025-08-31');
      for (const range of [first, request('2023-12-31 06:00', '2025-01-01')]) {
        const answer = range === first ? await stored(range, headers) : await ask(range, headers);
        const of = `${aggregation}, ${JSON.stringify(range.time)}`;
        expect(answer.text, of).to.equal((await computed(range, headers)).text);
        const counts = new Map<string, number>();
        for (const dtime of dtimes.filter((one) => isWithin(one, range.time))) {
          const bucket = bucketOf(aggregation, Date.parse(`${dtime}Z`));
          const name = String(bucket.dtime ?? bucket.aggregatedNumber);
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        expect(countsOf(answer.text), of).to.have.deep.members([...counts]);
      }
    }
    expect(partialDays((await ask(yearly('2023-07-01'), headers)).text)).to.deep.equal([
      '2023-01-01',
      '2025-01-01',
    ]);
    expect(partialDays((await ask(yearly('2024-01-01'), headers)).text)).to.deep.equal([
      '2025-01-01',
    ]);

    function yearly(from: string) {
      return { ...unsplit, aggregation: 'yearly', time: { from, to: '2025-08-31' } };
    }
  }).timeout(120_000);

  it('is not used with Cache-Control: no-cache', async () => {
    await stored(daily);
    expect((await computed(daily)).state).to.equal(null);
  });

  it('is not used for days with new results', async () => {
    const before = await stored(daily);
    await addResult(7, 1000);
    const { state, text, tag } = await ask(daily);
    expect(state).to.equal('partial');
    expect(text).to.equal((await computed(daily)).text);
    expect(text).not.to.equal(before.text);
    expect(tag).not.to.equal(before.tag);
  });

  it('is used for days before the effect of a change of metadata', async () => {
    await stored(daily);
    await moveTo('south', '2026-03-15');
    const { state, text } = await ask(daily);
    expect(state).to.equal('partial');
    expect(text).to.equal((await computed(daily)).text);
    expect(text).to.include('"area":"south"').and.include('"area":"north"');
  });

  it('is not used for a day that has lasted into the next UTC day, when a change takes effect there', async () => {
    // In Honolulu, 10 March at 20:00 is 11 March at 06:00 UTC.
    await addAgentIn('Pacific/Honolulu', 'island');
    await addResult(11, 70, 'island', '06:00:00');
    const ofIsland = { ...daily, filters: [only('island')] };
    const before = await stored(ofIsland);
    expect(areas(before.text)).to.deep.equal(['2026-03-10 null']);
    await moveTo('harbour', '2026-03-11', 'island');
    const { text } = await ask(ofIsland);
    expect(areas(text)).to.deep.equal(['2026-03-10 harbour']);
    expect(text).to.equal((await computed(ofIsland)).text);

    await stored(ofIsland);
    await addResult(11, 110, 'island', '06:00:00');
    expect(sampleCounts((await ask(ofIsland)).text)).to.deep.equal([2]);
  });

  it('is not used from the first of several periods that a change concerns', async () => {
    await addAgentIn('UTC', 'mover');
    for (const day of [3, 6, 12]) await addResult(day, 60, 'mover');
    await moveTo('east', '2026-03-02', 'mover');
    await moveTo('west', '2026-03-10', 'mover');
    const ofMover = { ...daily, filters: [only('mover')] };
    expect(areas((await stored(ofMover)).text)).to.deep.equal([
      '2026-03-03 east',
      '2026-03-06 east',
      '2026-03-12 west',
    ]);
    await moveTo('centre', '2026-03-05', 'mover');
    const { text } = await ask(ofMover);
    expect(areas(text)).to.deep.equal([
      '2026-03-06 centre',
      '2026-03-12 centre',
      '2026-03-03 east',
    ]);
    expect(text).to.equal((await computed(ofMover)).text);
  });

  it('is not used for the days that a release changes', async () => {
    const release = (area: string | null) =>
      importAgents(stack.database, {
        organisationId: tenant.organisationId,
        records: [{ ...emptyRecord, agentId: 'box', custom: { area } }],
        validFromUtc: new Date('2026-03-04'),
        source: 'release.csv',
        limits: readSettings(customLimitSettings, {}),
        release: { mayRewrite: true },
      });
    for (const area of ['west', null]) {
      const before = await stored(daily);
      await release(area);
      await waitUntilPublished(stack.database, tenant.organisationId);
      const { state, text } = await ask(daily);
      expect(state).to.equal('partial');
      expect(text).to.equal((await computed(daily)).text);
      expect(text).not.to.equal(before.text);
      // The change of 15 March stays.
      expect(text)
        .to.include(`"area":${JSON.stringify(area)}`)
        .and.include('"area":"south"');
    }
    await stored(daily);
    await release(null);
    await waitUntilPublished(stack.database, tenant.organisationId);
    expect((await ask(daily)).state).to.equal('hit');
  });

  it('of a set of agents is not used after a change of the set', async () => {
    await changeSet([agentKeys.get('box')!]);
    const ofPilot = {
      ...daily,
      filters: [{ id: 'set', filterType: 'include', filterValues: ['pilot'] }],
    };
    const before = await stored(ofPilot);
    expect(before.text).to.include('"area"');
    const asked = { 'if-none-match': before.tag };
    expect((await ask(ofPilot, asked)).status).to.equal(304);
    await changeSet([]);
    const { state, text } = await ask(ofPilot);
    expect((await ask(ofPilot, asked)).status).to.equal(200);
    expect(state).to.equal('miss');
    expect(text).to.equal((await computed(ofPilot)).text);
    expect(text).not.to.include('"area"');
  });

  it('gets 304 while the client has it, until it changes', async () => {
    const { tag } = await ask(daily);
    const again = await ask(daily, { 'if-none-match': tag });
    expect(again).to.deep.include({ status: 304, text: '', tag });
    await addResult(8, 900);
    expect((await ask(daily, { 'if-none-match': tag })).status).to.equal(200);
  });

  it('is computed once for requests at the same time', async () => {
    const profile = { ...daily, aggregation: 'hour_of_day' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(profile)));
    expect(new Set(answers.map(({ text }) => text))).to.have.property('size', 1);
  });

  it('of another organisation is never used', async () => {
    const other = await newTenant(stack.database);
    await stored(daily);
    const { state, text } = await ask({ ...daily, splits: [] }, { authorization: other.dataToken });
    expect(state).to.equal('miss');
    expect(JSON.parse(text)).to.deep.include({ data: [{ metricData: [] }] });
  });

  interface Answer {
    readonly status: number;
    readonly text: string;
    readonly tag: string;
    readonly state: string | null;
  }

  async function ask(request: object, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${service.url}/metric_data`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
    });
    return {
      status: response.status,
      text: await response.text(),
      tag: response.headers.get('etag') ?? '',
      state: response.headers.get('x-netpanel-cache'),
    };
  }

  function computed(request: object, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(request, { ...headers, 'cache-control': 'no-cache' });
  }

  /** Answers are stored in the background. */
  async function stored(request: object, headers: Record<string, string> = {}): Promise<Answer> {
    let answer = await ask(request, headers);
    await waitUntil(async () => {
      answer = await ask(request, headers);
      return answer.state === 'hit';
    });
    return answer;
  }

  async function addResult(
    day: number,
    mbps: number,
    agentId = 'box',
    time = '12:00:00',
  ): Promise<void> {
    const dtime = `2026-03-${String(day).padStart(2, '0')} ${mbps > 100 ? time.replace(/0$/, '1') : time}`;
    const download = { agentKey: agentKeys.get(agentId)!, agentId, mbps, dtime };
    await addDownloads(stack.clickhouse, tenant.organisationId, [download]);
  }

  async function changeSet(agentKeys: readonly number[]): Promise<void> {
    const { database, clickhouse } = stack;
    const { organisationId } = tenant;
    await changeAgentSet(database, organisationId, 'pilot', agentKeys, { replace: true });
    await copySet({ database, clickhouse, cluster: '' }, organisationId, 'pilot');
  }

  async function addAgentIn(timezone: string, agentId: string): Promise<void> {
    const agent = { agentId };
    agentKeys.set(agentId, await addAgent(stack.database, tenant.organisationId, agent));
    await change({ timezone }, '2026-02-01', agentId);
  }

  function moveTo(area: string, from: string, agentId = 'box'): Promise<void> {
    return change({ custom: { area } }, from, agentId);
  }

  async function change(metadata: object, from: string, agentId: string): Promise<void> {
    const body = {
      agent: { agent_id: agentId },
      metadata,
      backdate_from: Date.parse(from) / 1000,
    };
    const now = new Date(Date.parse(from) + 5 * 86_400_000);
    await changeMetadata(stack.database, tenant, body, now);
    await waitUntilPublished(stack.database, tenant.organisationId);
  }
});

interface Point {
  readonly dtime: string;
  readonly area: string | null;
  readonly sampleCount: number;
  readonly partial?: true;
}

function pointsOf(text: string): readonly Point[] {
  const { data } = JSON.parse(text) as { data: { metricData: Point[] }[] };
  return data.flatMap(({ metricData }) => metricData);
}

function partialDays(text: string): readonly string[] {
  return pointsOf(text)
    .filter(({ partial }) => partial)
    .map(({ dtime }) => dtime);
}

function areas(text: string): readonly string[] {
  return pointsOf(text).map(({ dtime, area }) => `${dtime} ${area}`);
}

function sampleCounts(text: string): readonly number[] {
  return pointsOf(text).map(({ sampleCount }) => sampleCount);
}

function only(agentId: string): object {
  return { id: 'agent', filterType: 'include', filterValues: [agentId] };
}

/** The bucket and the number of results of each point. */
function countsOf(text: string): readonly (readonly [string, number])[] {
  const { data } = JSON.parse(text) as {
    data: { metricData: { dtime?: string; aggregatedNumber?: number; sampleCount: number }[] }[];
  };
  return data.flatMap(({ metricData }) =>
    metricData.map(({ dtime, aggregatedNumber, sampleCount }) => [
      String(dtime ?? aggregatedNumber),
      sampleCount,
    ]),
  );
}

/** A range from a day or a minute to a day, which it includes. */
function isWithin(dtime: string, { from, to }: { from: string; to: string }): boolean {
  return dtime >= from && dtime.slice(0, 10) <= to;
}
