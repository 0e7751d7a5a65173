import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { expandBody, expandSql } from './grafana-macros.ts';

interface Target {
  readonly rawSql?: string;
  readonly url?: string;
  readonly url_options?: { data: string; headers: { key: string; value: string }[] };
  readonly columns?: { selector: string; type: string }[];
}

interface Dashboard {
  readonly timezone: string;
  readonly panels: {
    title: string;
    datasource: { uid: string; type: string };
    targets: Target[];
  }[];
  readonly templating: { list: { name: string; type: string; query?: string }[] };
}

const folder = join(repositoryRoot, 'deploy/grafana');
const range = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-07T23:59:59Z') };

describe('the Grafana dashboards of panel data', () => {
  let stack: LocalStack;
  let organisation: string;

  before(async () => {
    stack = await localStack();
    const row: unknown = await stack.database('organisations').where({ name: 'demo' }).first('id');
    organisation = String((row as { id: number }).id);
  });

  it('use data sources that are provisioned, and UTC, because times are local', () => {
    const { datasources } = parse(
      readFileSync(join(folder, 'provisioning/datasources/netpanel.yaml'), 'utf8'),
    ) as { datasources: { uid: string; type: string }[] };
    const files = readdirSync(join(folder, 'dashboards'));
    expect(files).to.have.length(2);
    for (const { panels, timezone } of files.map(read)) {
      expect(timezone).to.equal('utc');
      expect(panels.length).to.be.at.least(5);
      for (const { datasource, title } of panels) {
        const found = datasources.find(({ uid }) => uid === datasource.uid);
        expect(found?.type, title).to.equal(datasource.type);
      }
    }
  });

  it('have SQL whose every query gives rows', async () => {
    const { panels } = read('panel-clickhouse.json');
    for (const { title, targets } of panels) {
      const rows = await rowsOf(targets[0]?.rawSql ?? '');
      expect(rows.length, title).to.be.greaterThan(0);
      const numbers = rows.flatMap((row) => Object.values(row)).filter(Number.isFinite);
      expect(numbers.length, title).to.be.greaterThan(0);
    }
  });

  it('show in SQL the numbers of the API', async () => {
    const sql = await rowsOf(
      panelOf('panel-clickhouse.json', 'Download speed by ISP').rawSql ?? '',
    );
    const api = await pointsOf(panelOf('panel-api.json', 'Download speed by ISP'));
    const [first] = api;
    expect(Object.keys(first ?? {})).to.include.members(['dtime', 'isp', 'metricValue']);
    const key = (day: unknown, isp: unknown) => `${String(day).slice(0, 10)} ${String(isp)}`;
    const bySql = new Map(sql.map((row) => [key(row.time, row.isp), Number(row.mbps)]));
    expect(bySql.size).to.equal(api.length);
    for (const row of api) {
      const value = bySql.get(key(row.dtime, row.isp === '' ? 'unknown' : row.isp));
      expect(value, row.isp).to.be.closeTo(Number(row.metricValue), 1e-6);
    }
  });

  it('have requests that the API answers with every column they show', async () => {
    for (const { title, targets } of read('panel-api.json').panels) {
      const [target] = targets;
      const rows = await pointsOf(target ?? {});
      expect(rows.length, title).to.be.greaterThan(0);
      const shown = (target?.columns ?? []).map(({ selector }) => selector);
      expect(Object.keys(rows[0] ?? {}), title).to.include.members(shown);
      for (const { selector, type } of target?.columns ?? []) {
        if (type !== 'number') continue;
        const isNumber = rows.every((row) => Number.isFinite(Number(row[selector])));
        expect(isNumber, `${title}: ${selector}`).to.equal(true);
      }
    }
  });

  function panelOf(file: string, wanted: string): Target {
    return read(file).panels.find(({ title }) => title === wanted)?.targets[0] ?? {};
  }

  async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
    const isps = read('panel-clickhouse.json').templating.list.find(({ name }) => name === 'isp');
    const listed = await queryRows<Record<string, string>>(
      stack.clickhouse,
      expandSql(isps?.query ?? '', range, { organisation: [organisation] }),
    );
    // Grafana takes the first column of a variable's query.
    const isp = listed.map((row) => Object.values(row)[0] ?? '');
    expect(isp).to.include('Northwave');
    return queryRows(
      stack.clickhouse,
      expandSql(sql, range, { organisation: [organisation], isp }),
    );
  }

  /** The rows of the CSV; names of the sample panel have no commas. */
  async function pointsOf({ url = '', url_options }: Target): Promise<Record<string, string>[]> {
    const headers = (url_options?.headers ?? []).map(({ key, value }) => [key, value] as const);
    const response = await fetch(stack.queryUrl + url, {
      method: 'POST',
      body: expandBody(url_options?.data ?? '', range),
      headers: {
        Authorization: stack.env.DEMO_DATA_TOKEN!,
        'Content-Type': 'application/json',
        ...Object.fromEntries(headers),
      },
    });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    const [header = [], ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').map((cell) => cell.replace(/^"|"$/g, '')));
    return lines.map((cells) =>
      Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''])),
    );
  }
});

function read(file: string): Dashboard {
  return JSON.parse(readFileSync(join(folder, 'dashboards', file), 'utf8')) as Dashboard;
}
