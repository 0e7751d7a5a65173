import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { DataApi } from '../../support/data-api.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';

describe('the documents for BI tools', function () {
  this.timeout(300_000);
  let stack: LocalStack;
  let organisation: number;

  before(async () => {
    stack = await localStack();
    const row: unknown = await stack.database('organisations').where({ name: 'demo' }).first('id');
    organisation = (row as { id: number }).id;
  });

  it('docs/superset.md: the SQL gives the numbers of the API', async () => {
    const sql = (/```sql\n(.*?)```/s.exec(page('superset'))?.[1] ?? '').replace(
      'organisation_id = 1',
      `organisation_id = ${organisation}`,
    );
    const rows = await queryRows<Record<string, string | number | null>>(stack.clickhouse, sql);
    const { body } = await new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN!).post(
      '/metric_data',
      {
        metric: 'httpget',
        chartType: 'aggregate',
        aggregation: 'total',
        normalised: false,
        prefilter: true,
        splits: ['isp'],
        time: { from: '2026-11-01', to: '2026-11-07' },
      },
    );
    const points = (body.data as { metricData: Point[] }[]).flatMap(({ metricData }) => metricData);
    expect(points.length).to.be.greaterThan(5);
    for (const { isp, metricValue, median, agentCount } of points) {
      const row = rows.find((one) => one.isp === isp);
      expect(Number(row?.mbps), String(isp)).to.be.closeTo(metricValue, 1e-6);
      expect(Number(row?.median)).to.be.closeTo(median, 1e-6);
      expect(Number(row?.agents)).to.equal(agentCount);
    }
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
});

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

interface Point {
  readonly isp: string | null;
  readonly metricValue: number;
  readonly median: number;
  readonly agentCount: number;
}
