import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import { compileTestQuery } from '../../../services/query/compiler/compile-test-query.ts';
import { parseMetricQuery } from '../../../services/query/request/parse-metric-query.ts';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { printQuery } from '../../../services/shared/sql/print-query.ts';
import type { Query } from '../../../services/shared/sql/select.ts';
import { parseContext } from '../../support/metric-request.ts';

const folder = join(repositoryRoot, 'test/unit/compiler/golden');

/** A file of golden/: a request in the comment at its start, and the SQL for it below. */
export interface GoldenCase {
  readonly name: string;
  readonly route: 'metric_data' | 'test_data';
  /** The privacy floor of the token, or 0. */
  readonly floor: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const goldenCases: readonly GoldenCase[] = readdirSync(folder).map((file) => {
  const [first = '', ...lines] = requestOf(textOf(file)).split('\n');
  const [, route, floor = '0'] =
    /^-- POST \/(\w+)(?:, with a privacy floor of (\d+) agents)?$/.exec(first) ?? [];
  return {
    name: file.replace('.sql', ''),
    route: route as GoldenCase['route'],
    floor: Number(floor),
    body: JSON.parse(lines.map((line) => line.replace(/^--/, '')).join('')) as GoldenCase['body'],
  };
});

/** A new case is a file with the comment alone. `make generate` writes the SQL of every case: review the diff. */
export function testGolden(one: GoldenCase): void {
  it(`is golden/${one.name}.sql for its request`, () => {
    const file = `${one.name}.sql`;
    const text = `${requestOf(textOf(file))}\n\n${sqlOf(goldenQuery(one))}`;
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(join(folder, file), text);
    expect(textOf(file)).to.equal(text);
    expect(text.split('\n').filter((line) => line.length > 120)).to.deep.equal([]);
  });
}

export function goldenQuery({ route, floor, body }: GoldenCase): Query {
  const knownAt = { moment: new Date('2026-02-01T00:00:00Z'), changeId: 42 };
  const context = {
    ...parseContext,
    minAgents: floor,
    ...(body.knownAt !== undefined && { knownAt }),
  };
  return route === 'test_data'
    ? compileTestQuery(parseTestQuery(body, context)).query
    : compileMetricQuery(parseMetricQuery(body, context)).query;
}

function textOf(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}

function requestOf(text: string): string {
  return text.trimEnd().split('\n\n')[0]!;
}

function sqlOf(query: Query): string {
  const { sql, params } = printQuery(query);
  const values = Object.entries(params).map(
    ([name, { type, value }]) => `-- ${name} ${type} ${JSON.stringify(value)}`,
  );
  return [...values, sql, ''].join('\n');
}
