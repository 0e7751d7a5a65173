import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { banner } from '../../../deploy/local/banner.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { DataApi } from '../../support/data-api.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { expandSql } from './grafana-macros.ts';
import { curlSql, sqlBlocks, statementsOf } from './sql-blocks.ts';

describe('the SQL of the documents', () => {
  let stack: LocalStack;
  let organisation: number;

  before(async () => {
    stack = await localStack();
    const row: unknown = await stack.database('organisations').where({ name: 'demo' }).first('id');
    organisation = (row as { id: number }).id;
  });

  const withPrefilter = {
    metric: 'httpget',
    chartType: 'aggregate',
    normalised: false,
    prefilter: true,
    splits: ['isp'],
    time: { from: '2026-11-01', to: '2026-11-07' },
  };

  it('README.md: the SQL gives the numbers of the API', async () => {
    const request = {
      ...withPrefilter,
      aggregation: 'hour_of_day',
      splits: ['package'],
      time: wholeSample,
    };
    await compare(blockIn('README.md'), request, {
      keys: { package: 'package', local_hour: 'aggregatedNumber' },
      values: { mbps: 'median' },
    });
  });

  it('the banner of make run: the SQL gives the numbers of the API', async () => {
    const [sql = ''] = curlSql(banner(stack.env, ''));
    const request = {
      ...withPrefilter,
      aggregation: 'total',
      prefilter: false,
      splits: ['package'],
      time: wholeSample,
    };
    await compare(sql.replace(/ FORMAT \w+$/, ''), request, {
      keys: { package: 'package' },
      values: { 'count()': 'sampleCount' },
      rounded: { mbps: 'median' },
    });
  });

  it('docs/superset.md: the SQL gives the numbers of the API', async () => {
    await compare(
      blockIn('docs/superset.md'),
      { ...withPrefilter, aggregation: 'total' },
      {
        keys: { isp: 'isp' },
        values: { mbps: 'metricValue', median: 'median', agents: 'agentCount' },
      },
    );
  });

  it('docs/grafana.md: the SQL gives the numbers of the API', async () => {
    const sql = blockIn('docs/grafana.md').replace(
      'AS time, isp,',
      'AS time, toDate(time) AS day, isp,',
    );
    await compare(
      expandSql(sql.replace('GROUP BY time, isp', 'GROUP BY time, day, isp'), range, {}),
      { ...withPrefilter, aggregation: 'daily' },
      { keys: { isp: 'isp', day: 'dtime' }, values: { mbps: 'metricValue' } },
    );
  });

  it('docs/superset.md: every expression of a metric runs on the view', async () => {
    const cells = [...page('superset').matchAll(/`((?:avg|quantile|uniq)\w*\([^`]*)`/g)];
    const expressions = cells.map(([, expression = '']) => expression);
    expect(expressions.length).to.be.at.least(5);
    const [row] = await queryRows<Record<string, unknown>>(
      stack.clickhouse,
      `SELECT ${expressions.map((one, i) => `${one} AS m${i}`).join(', ')} FROM metric_udpPacketLoss`,
    );
    expect(Object.values(row ?? {}).every((value) => Number.isFinite(Number(value)))).to.equal(
      true,
    );
  });

  it('no example has an approximate function', () => {
    const dashboard = readFileSync(
      join(repositoryRoot, 'deploy/grafana/dashboards/panel-clickhouse.json'),
      'utf8',
    );
    const examples = [
      ...sqlBlocks(),
      { where: 'the banner', sql: banner(stack.env, '') },
      { where: 'the dashboard', sql: dashboard },
      { where: 'docs/analysts.md', sql: page('analysts') },
      { where: 'docs/superset.md', sql: page('superset') },
    ];
    const approximate =
      /\b(median|quantiles?|quantiles?(TDigest|Timing|BFloat16|DD|GK)\w*|uniq|uniqCombined\w*|uniqHLL12|topK)\(/;
    const found = examples.filter(({ sql }) => approximate.test(sql));
    expect(found.map(({ where }) => where)).to.deep.equal([]);
  });

  it('docs/power-bi.md: the request of the query gives the columns that it converts', async () => {
    const record = /request = \[(.*?)\],\n {2}response/s.exec(page('power-bi'))?.[1] ?? '';
    const response = await fetch(`${stack.queryUrl}/metric_data`, {
      method: 'POST',
      headers: {
        Authorization: stack.env.DEMO_DATA_TOKEN!,
        'Content-Type': 'application/json',
        Accept: 'text/csv',
      },
      body: asJson(`[${record}]`),
    });
    const [header = '', first = ''] = (await response.text()).split('\n');
    expect(response.status, header).to.equal(200);
    expect(header).to.match(/^"isp","metricValue","dtime",/);
    expect(first).to.match(/^"[^"]+",\d+(\.\d+)?,"2026-11-01",/);
  });

  /** Compares all rows of the SQL with all points of the API. */
  async function compare(sql: string, request: object, columns: Compared): Promise<void> {
    const own = ofOrganisation(sql, stack.env.CLICKHOUSE_DATABASE ?? 'netpanel', organisation);
    const rows = await queryRows<Record<string, unknown>>(stack.clickhouse, own);
    const api = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN!);
    const points = await api.points(request);
    expect(points.length).to.be.greaterThan(5);
    expect(rows.length).to.equal(points.length);
    const { keys, values, rounded = {} } = columns;
    const rowsByKey = new Map(rows.map((row) => [keyOf(row, Object.keys(keys)), row]));
    for (const point of points) {
      const key = keyOf(point, Object.values(keys));
      const row = rowsByKey.get(key) ?? expect.fail(`the SQL has no row for ${key}`);
      for (const [column, field] of Object.entries(values)) {
        expect(Number(row[column]), key).to.be.closeTo(Number(point[field]), 1e-6);
      }
      for (const [column, field] of Object.entries(rounded)) {
        expect(Number(row[column]), key).to.be.closeTo(Number(point[field]), 0.5);
      }
    }
  }
});

describe('every SQL block of the documents', () => {
  let stores: IsolatedStores;

  before(async () => (stores = await isolatedStores()));
  after(() => stores.close());

  for (const { where, sql } of sqlBlocks().filter(({ notRun }) => notRun === undefined)) {
    it(`${where} runs`, async () => {
      const statements = statementsOf(sql);
      expect(statements).not.to.be.empty;
      for (const statement of statements) {
        if (statement.engine === 'postgres') await stores.database.raw(statement.sql);
        else {
          const own = ofOrganisation(statement.sql, stores.env.CLICKHOUSE_DATABASE!, 1);
          await stores.clickhouse.command({ query: expandSql(own, range, {}) });
        }
      }
    });
  }

  it('says why if it is not run', () => {
    const reasons = sqlBlocks().flatMap(({ notRun }) => notRun ?? []);
    for (const reason of reasons) expect(reason).to.match(/\w+ \w+ \w+/);
    for (const [, test] of reasons.join('\n').matchAll(/(integration\/\S+) runs/g)) {
      expect(existsSync(join(repositoryRoot, `test/${test}.test.ts`)), test).to.equal(true);
    }
  });
});

interface Compared {
  /** Columns of the SQL, and the fields of the API that have the same values. */
  readonly keys: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  /** To integers by the SQL. */
  readonly rounded?: Readonly<Record<string, string>>;
}

const wholeSample = { from: '2026-01-01', to: '2026-12-31' };
const range = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-07T23:59:59Z') };

function keyOf(row: Readonly<Record<string, unknown>>, fields: readonly string[]): string {
  return fields.map((field) => String(row[field])).join(' ');
}

/** The first block of a document. */
function blockIn(document: string): string {
  return sqlBlocks().find(({ where }) => where.startsWith(`${document}:`))?.sql ?? '';
}

/** The documents name the database netpanel and the organisation 1. */
function ofOrganisation(sql: string, database: string, organisation: number): string {
  return sql
    .replace(/\bnetpanel(?=[.'])/g, database)
    .replace('organisation_id = 1', `organisation_id = ${organisation}`);
}

function page(name: string): string {
  return readFileSync(join(repositoryRoot, 'docs', `${name}.md`), 'utf8');
}

/** A record of Power Query with texts, booleans, lists and records: `[a = "x", b = {"y"}]`. */
function asJson(record: string): string {
  return record
    .replaceAll('{', '<')
    .replaceAll('}', '>')
    .replaceAll('[', '{')
    .replaceAll(']', '}')
    .replaceAll('<', '[')
    .replaceAll('>', ']')
    .replace(/(\w+) = /g, '"$1": ');
}
