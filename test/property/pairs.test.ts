import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { comparisonColumns, reportColumns } from '../../services/catalog/statistics.ts';
import { metricFieldNames } from '../../services/query/request/fields/metric-fields.ts';
import { groupBy } from '../reference/group-by.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { panelKnownAt } from '../reference/recorded-panel.ts';
import type { Point, Series } from '../reference/result.ts';
import { localStack } from '../support/local-stack.ts';
import { noRateLimits } from '../support/no-rate-limits.ts';
import { type QueryService, startQueryService } from '../support/query-service.ts';
import { newTenantToken } from '../support/tenant.ts';
import { compareWithReference } from './compare-with-reference.ts';
import {
  allPairs,
  coveringRows,
  firstLevels,
  pairsOf,
  type Row,
  rowOfPair,
} from './covering-rows.ts';
import { type KnownAtPanel, storeKnownAtPanel } from './known-at-panel.ts';
import { Random } from './random.ts';
import { factors, isAllowed, otherFields, refusals, requestOfRow } from './request-pairs.ts';

const floor = 3;
const acceptOf: Readonly<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};
/** A request whose answer is put together from stored days: the random ones may be none. */
const storedDays = { aggregation: 'daily', answer: 'stored' };
const rows = [
  ...coveringRows(factors, isAllowed, new Random(1)),
  { ...firstLevels(factors), ...storedDays },
];

describe('every two fields of a request, with every format, floor, knownAt and stored answer', () => {
  let stored: KnownAtPanel;
  let service: QueryService;
  let flooredToken: string;
  const compared = new Set<string>();
  const states = new Set<string>();

  before(async () => {
    const stack = await localStack();
    stored = await storeKnownAtPanel(stack);
    flooredToken = await newTenantToken(stack.database, stored.organisationId, 'data', {
      min_agents: floor,
    });
    service = await startQueryService({ ...noRateLimits, STORED_ANSWERS_MIN_MS: '0' });
  });
  after(() => service.stop());

  it('has every declared field', () => {
    const others = ['format', 'floor', 'answer'];
    expect([...Object.keys(factors), ...otherFields]).to.have.members([
      ...metricFieldNames,
      ...others,
    ]);
  });

  for (const row of rows) {
    const given = Object.entries(row).filter(([, level]) => !['none', 'no'].includes(level));
    it(given.map(([factor, level]) => `${factor} ${level}`).join(', '), async () => {
      const { panel, request } = requestOf(row);
      await compareWithReference(
        panel,
        (one) => responseTo(one, row),
        request,
        row.floor === 'none' ? 0 : floor,
      );
      for (const pair of pairsOf(row)) compared.add(pair);
    });
  }

  it('is compared with the reference in every pair, and refused in the others', async () => {
    const wanted = allPairs(factors).filter((pair) => isAllowed(rowOfPair(pair)));
    expect(wanted.filter((pair) => !compared.has(pair))).to.deep.equal([]);
    // Otherwise no answer would have been put together from stored ones.
    expect([...states]).to.include('hit');
    for (const [reason, { example }] of Object.entries(refusals)) {
      const { status } = await send(requestOf(example).request, 'json', stored.dataToken);
      expect(status, reason).to.equal(422);
    }
    const count = `${rows.length} requests, ${wanted.length} pairs`;
    process.stdout.write(`    ${count}, ${allPairs(factors).length - wanted.length} refused\n`);
  });

  /** The request of a row, and the panel as it was known then. */
  function requestOf(row: Row): { readonly request: MetricRequest; readonly panel: Panel } {
    const { recorded, momentsMs } = stored;
    const request = requestOfRow(row);
    if (row.knownAt !== 'earlier') return { request, panel: panelKnownAt(recorded, Infinity) };
    const momentMs = momentsMs[momentsMs.length >> 1]!;
    const knownAt = new Date(momentMs).toISOString();
    return { request: { ...request, knownAt }, panel: panelKnownAt(recorded, momentMs) };
  }

  async function responseTo(request: MetricRequest, row: Row): Promise<readonly Series[]> {
    const token = row.floor === 'none' ? stored.dataToken : flooredToken;
    const isStored = row.answer === 'stored';
    // It is stored in the background, unless the order of its series is unknown.
    for (let tries = 0; isStored && tries < 20; tries++) {
      if ((await send(request, row.format!, token, isStored)).state !== 'miss') break;
      await setTimeout(100);
    }
    const { status, text, state } = await send(request, row.format!, token, isStored);
    if (status !== 200) throw new Error(`${status} ${text}\nrequest: ${JSON.stringify(request)}`);
    if (isStored) states.add(state);
    if (row.format === 'json') return (JSON.parse(text) as { data: readonly Series[] }).data;
    return seriesOf(row.format === 'csv' ? csvRows(text) : ndjsonRows(text), request);
  }

  async function send(request: MetricRequest, format: string, token: string, isStored = false) {
    const response = await fetch(`${service.url}/metric_data`, {
      method: 'POST',
      headers: {
        authorization: token,
        accept: acceptOf[format]!,
        'content-type': 'application/json',
        ...(isStored ? {} : { 'cache-control': 'no-cache' }),
      },
      body: JSON.stringify(request.times === undefined ? request : { ...request, time: undefined }),
    });
    const state = response.headers.get('x-netpanel-cache') ?? '';
    return { status: response.status, text: await response.text(), state };
  }
});

/** The series of JSON from the rows of a flat format, which have a column per percentile, share and reason. */
function seriesOf(flat: readonly Point[], { splits = [] }: MetricRequest): readonly Series[] {
  const keyOf = (point: Point) => JSON.stringify(splits.map((split) => point[split]));
  const points = flat.map(nested);
  if (points.length === 0) return splits.length === 0 ? [{ metricData: [] }] : [];
  const starts = points.flatMap((point, i) =>
    i === 0 || keyOf(point) !== keyOf(points[i - 1]!) ? [i] : [],
  );
  return starts.map((start, i) => ({ metricData: points.slice(start, starts[i + 1]) }));
}

const numbered = [{ name: 'percentiles', columnPrefix: 'p' }, ...reportColumns].filter(
  ({ columnPrefix, name }) => columnPrefix !== undefined && name !== 'percentilesCi95',
);

/** `differenceMedianCi95Low` is `medianCi95Low` of `difference`. Reasons of `leftOut` start with `households`, too. */
const ofComparison = /^(compared|difference|change|households(?=Both|Only))([A-Z].*)$/;

/** JSON has `partial` only where it is true. */
function nested(point: Point): Point {
  const result: Record<string, unknown> = {};
  const columns = Object.entries(point);
  const grouped = groupBy(columns, ([name]) => ofComparison.exec(name)?.[1] ?? '');
  for (const [group, own] of grouped) {
    if (group === '') continue;
    const inner = own.map(([name, value]): [string, unknown] => {
      const rest = name.slice(group.length);
      return [rest.charAt(0).toLowerCase() + rest.slice(1), value];
    });
    result[group] = nested(Object.fromEntries(inner));
  }
  for (const [name, value] of grouped.get('') ?? []) {
    if (name === 'partial' && value !== true) continue;
    const { field, key, bound } = pathOf(name);
    const isWhole = key === undefined && bound === undefined;
    const parent = isWhole ? result : ((result[field] ??= {}) as Record<string, unknown>);
    if (bound === undefined) parent[key ?? field] = value;
    else if (key === undefined) result[field] = withBound(parent, bound, value);
    else parent[key] = withBound(parent[key], bound, value);
  }
  return result;
}

/** Where JSON has the number of a column. */
function pathOf(column: string): { field: string; key?: string; bound?: number } {
  const columnsOf = (name: string) =>
    [...reportColumns, ...comparisonColumns].find((one) => one.name === name)?.columns ?? [];
  if (columnsOf('leftOut').includes(column)) return { field: 'leftOut', key: column };
  if (columnsOf('coverage').includes(column)) {
    return { field: 'coverage', key: column.slice('coverage'.length).toLowerCase() };
  }
  const [, own = column, end] = /^(.+Ci95)(Low|High)$/.exec(column) ?? [];
  const bound = end === undefined ? {} : { bound: end === 'Low' ? 0 : 1 };
  const [, prefix, number] = /^([a-zA-Z]+?)(-?[\d.]+)(?:Ci95)?$/.exec(own) ?? [];
  const group = numbered.find(({ columnPrefix }) => columnPrefix === prefix);
  if (!group || number === undefined) return { field: own, ...bound };
  return { field: end === undefined ? group.name : `${group.name}Ci95`, key: number, ...bound };
}

function withBound(interval: unknown, at: number, bound: unknown): readonly unknown[] {
  const bounds = Array.isArray(interval) ? (interval as readonly unknown[]) : [null, null];
  return bounds.with(at, bound);
}

function ndjsonRows(text: string): readonly Point[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Point);
}

/** Texts are in quotes, numbers are not; null is nothing. */
function csvRows(text: string): readonly Point[] {
  const lines: unknown[][] = [[]];
  for (const [, field = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)([,\n])/g)) {
    const isText = field.startsWith('"');
    const bare = field === 'true' || field === 'false' ? field === 'true' : Number(field);
    lines
      .at(-1)!
      .push(
        isText ? field.slice(1, -1).replaceAll('""', '"') : /^(\\N)?$/.test(field) ? null : bare,
      );
    if (end === '\n') lines.push([]);
  }
  const [names = [], ...rest] = lines.slice(0, -1);
  return rest.map((values) =>
    Object.fromEntries(names.map((name, i) => [String(name), values[i]])),
  );
}
