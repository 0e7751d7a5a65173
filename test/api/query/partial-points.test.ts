import { expect } from 'chai';
import { aggregationDefinition } from '../../../services/catalog/aggregations.ts';
import { aggregations } from '../../reference/bucket.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { noRateLimits } from '../../support/no-rate-limits.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const plain = {
  metric: 'httpget',
  chartType: 'aggregate',
  normalised: false,
  prefilter: false,
  splits: [] as string[],
};

const ranges = {
  cut: { time: { from: '2024-02-28 10:30', to: '2024-03-01 09:59:59' } },
  whole: { time: { from: '2024-01-01', to: '2024-12-31' } },
  relative: { time: { from: '-2 days', to: 'now' } },
  several: {
    times: [
      { from: '2024-02-28 00:00', to: '2024-02-28 11:59:59' },
      { from: '2024-02-28 12:00', to: '2024-02-28 23:59:59' },
      { from: '2024-03-01 06:00', to: '2024-03-01 23:59:59' },
    ],
  },
};

const variants: readonly object[] = [
  {},
  { splits: ['target'] },
  { household: { statistic: 'mean' }, minAgents: 2 },
  { household: { statistic: 'mean' }, overBuckets: 'busiest', splits: ['target'] },
];

type Row = Readonly<Record<string, unknown>>;

describe('partial points', () => {
  let stack: LocalStack;
  let service: QueryService;
  let tenant: Tenant;

  before(async () => {
    stack = await localStack();
    service = await startQueryService({ ...noRateLimits, STORED_ANSWERS_MIN_MS: '0' });
    tenant = await newTenant(stack.database);
    const recent = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const times = Array.from({ length: 20 }, (_, i) => [
      Date.parse('2024-02-28T00:00:00Z') + i * 3 * 3_600_000,
      recent - i * 3 * 3_600_000,
    ]).flat();
    for (const [i, timezone] of ['Pacific/Auckland', 'Pacific/Honolulu'].entries()) {
      const agentId = `box-${i}`;
      const agentKey = await addAgent(stack.database, tenant.organisationId, { agentId });
      const body = { agent: { agent_id: agentId }, metadata: { timezone } };
      await changeMetadata(
        stack.database,
        tenant,
        { ...body, backdate_from: Date.parse('2024-01-02') / 1000 },
        new Date('2024-01-10'),
      );
      await addDownloads(
        stack.clickhouse,
        tenant.organisationId,
        times.map((ms, n) => ({
          agentKey,
          agentId,
          dtime: new Date(ms).toISOString().slice(0, 19).replace('T', ' '),
          mbps: 10 + n,
          target: n % 2 === 0 ? 'a' : 'b "x",\n',
        })),
      );
    }
    await waitUntilPublished(stack.database, tenant.organisationId);
  });
  after(() => service.stop());

  for (const aggregation of aggregations) {
    it(`are the same in JSON, NDJSON and CSV: ${aggregation}`, async () => {
      const isTime = aggregationDefinition(aggregation).kind === 'time';
      const compared = Object.values(ranges).slice(0, isTime ? undefined : 1);
      for (const [i, range] of compared.entries()) {
        // Each variant meets each range with some aggregation.
        const variant = variants[(i + aggregations.indexOf(aggregation)) % variants.length] ?? {};
        if (!isTime && 'overBuckets' in variant) continue;
        await compare({ ...plain, ...variant, ...range, aggregation }, isTime);
      }
    });
  }

  async function compare(request: object, isTime: boolean): Promise<void> {
    const where = JSON.stringify(request);
    // The bounds of a relative range move between two requests, but by seconds.
    const points = await pointsOf(request);
    const marked = points.map((point) => [...keyOf(point), point.partial === true]);
    for (const rows of [await ndjsonOf(request), csvRows(await sent(request, 'text/csv'))]) {
      if (!isTime) {
        expect(rows.filter((row) => 'partial' in row)).to.deep.equal([], where);
        continue;
      }
      const cells = rows.map((row) => [...keyOf(row), row.partial]);
      expect(rows.length, where).to.be.greaterThan(0);
      expect(cells).to.deep.equal(marked, where);
    }
  }

  it('are those that a range or the clock cuts', async () => {
    const partialOf = async (aggregation: string, range: object) =>
      (await ndjsonOf({ ...plain, ...range, aggregation })).map(({ dtime, partial }) => [
        dtime,
        partial,
      ]);
    expect(await partialOf('daily', ranges.cut)).to.deep.equal([
      ['2024-02-28', true],
      ['2024-02-29', false],
      ['2024-03-01', true],
    ]);
    expect(await partialOf('yearly', ranges.cut)).to.deep.equal([['2024-01-01', true]]);
    expect(await partialOf('yearly', ranges.whole)).to.deep.equal([['2024-01-01', false]]);
    expect(await partialOf('daily', ranges.several)).to.deep.equal([
      ['2024-02-28', false],
      ['2024-03-01', true],
    ]);
    const recent = await partialOf('hourly', ranges.relative);
    expect(recent.filter(([, partial]) => partial === false)).not.to.deep.equal([]);
    expect(recent.filter(([, partial]) => partial === true)).not.to.deep.equal([]);
  });

  it('are no part of a stored answer: the same pieces are marked by the range of each request', async () => {
    const request = { ...plain, aggregation: 'daily' };
    const marks = async (from: string, to: string) => {
      const body = { ...request, time: { from, to } };
      await waitUntil(async () => (await respond(body, ndjson)).state === 'hit');
      const { text } = await respond(body, ndjson);
      return linesOf(text).map(({ dtime, partial }) => [dtime, partial]);
    };
    expect(await marks('2024-02-29', '2024-02-29')).to.deep.equal([['2024-02-29', false]]);
    expect(await marks('2024-02-28 12:00', '2024-02-29 12:00')).to.deep.equal([
      ['2024-02-28', true],
      ['2024-02-29', true],
    ]);
    expect(await marks('2024-02-29', '2024-02-29')).to.deep.equal([['2024-02-29', false]]);
    const [stored] = await rowsOf<{ marked: string; pieces: string }>(
      `SELECT countIf(rows_text LIKE '%partial%') AS marked, count() AS pieces
      FROM stored_answers WHERE organisation_id = ${tenant.organisationId}`,
    );
    expect(Number(stored?.marked)).to.equal(0);
    expect(Number(stored?.pieces)).to.be.greaterThan(0);
  });

  it('are a Boolean column of a Parquet file, also of one without rows', async () => {
    const api = new DataApi(service.url, tenant.dataToken);
    const empty = { time: { from: '2001-01-01', to: '2001-01-02' } };
    for (const [range, expected] of [
      [ranges.cut, ['2024-02-28 true', '2024-02-29 false', '2024-03-01 true']],
      [empty, []],
    ] as const) {
      const request = { ...plain, ...range, aggregation: 'daily', format: 'parquet' };
      const { url } = fileData(await api.post('/metric_data_download', request));
      const file = (await fetched(url)).toString('hex').toUpperCase();
      // The file is a literal of the query, so that nothing is stored.
      const columns = await rowsOf<{ name: string; type: string }>(
        `DESCRIBE format(Parquet, unhex('${file}'))`,
      );
      expect(columns.find(({ name }) => name === 'partial')?.type).to.match(/Bool/);
      if (expected.length === 0) continue;
      const rows = await rowsOf<{ row: string }>(
        `SELECT concat(dtime, ' ', toString(partial)) AS row FROM format(Parquet, unhex('${file}'))`,
      );
      expect(rows.map(({ row }) => row)).to.deep.equal(expected);
    }
  });

  const ndjson = 'application/x-ndjson';

  async function rowsOf<T>(query: string): Promise<readonly T[]> {
    const result = await stack.clickhouse.query({ query, format: 'JSONEachRow' });
    return result.json<T>();
  }

  async function pointsOf(request: object): Promise<readonly Row[]> {
    const text = await sent(request, 'application/json');
    const { data } = JSON.parse(text) as { data: { metricData: Row[] }[] };
    return data.flatMap(({ metricData }) => metricData);
  }

  async function ndjsonOf(request: object): Promise<readonly Row[]> {
    return linesOf(await sent(request, ndjson));
  }

  async function sent(request: object, accept: string): Promise<string> {
    return (await respond(request, accept)).text;
  }

  async function respond(request: object, accept: string) {
    const response = await fetch(`${service.url}/metric_data`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json', accept },
      body: JSON.stringify(request),
    });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return { text, state: response.headers.get('x-netpanel-cache') };
  }
});

function linesOf(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

function keyOf({ target, dtime, sampleCount }: Row): readonly unknown[] {
  return [target, dtime, sampleCount];
}

/** The header and the rows of the columns that are compared; a quoted text may contain commas and line ends. */
function csvRows(text: string): readonly Row[] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n)/g)];
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    lines.at(-1)?.push(cell);
    if (end === '\n') lines.push([]);
  }
  const [header = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) =>
    Object.fromEntries(
      header.map((name, i): [string, unknown] => [
        JSON.parse(name) as string,
        valueOf(row[i] ?? ''),
      ]),
    ),
  );
}

function valueOf(cell: string): unknown {
  if (cell.startsWith('"')) return cell.slice(1, -1).replaceAll('""', '"');
  return cell === '' ? null : (JSON.parse(cell.replace('nan', 'null')) as unknown);
}
