import { expect } from 'chai';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import { compileTestQuery } from '../../../services/query/compiler/compile-test-query.ts';
import type { CompiledQuery } from '../../../services/query/compiler/compiled-query.ts';
import type { MetricQuery } from '../../../services/query/request/metric-query.ts';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { printInlined } from '../../../services/shared/sql/print-query.ts';
import type { Query } from '../../../services/shared/sql/select.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { testGolden } from './golden.ts';
import { floorCases, knownAtCases, queryCases, reportCases, resultsCases } from './golden-cases.ts';

describe('the SQL of a metric data request', () => {
  testGolden('metric-queries', {
    ...mapped(queryCases, (changes) => compileMetricQuery(metricQuery(changes)).query),
    'percentiles as columns': compileMetricQuery(metricQuery({ aggregation: 'total' }), {
      numberLists: 'columns',
    }).query,
  });
  testGolden(
    'reports',
    mapped(reportCases, (changes) => compileMetricQuery(metricQuery(changes)).query),
  );
  testGolden(
    'privacy-floor',
    mapped(floorCases, (changes) => compileMetricQuery(flooredQuery(changes)).query),
  );
  testGolden(
    'known-at',
    mapped(knownAtCases, (changes) => knownAtQuery(changes).query),
  );
  testGolden('results', mapped(resultsCases, resultsOf));

  it('depends on the last change that was known, not on the moment itself', () => {
    const ofSameChange = knownAtQuery({ knownAt: '2026-02-02 00:00' });
    expect(ofSameChange.sql).to.equal(knownAtQuery({}).sql);
    expect(ofSameChange.params).to.deep.equal(knownAtQuery({}).params);
  });

  it('reads exclusions from metrics only if the organisation has the field', () => {
    const context = { ...parseContext, customKeys: ['excluded_metrics'] };
    const isRead = (changes: object) => [
      compileMetricQuery(metricQuery({ ...changes })).sql.includes(',httpget,'),
      compileMetricQuery(metricQuery({ ...changes }, context)).sql.includes(',httpget,'),
    ];
    const report = { household: { statistic: 'mean' } };
    for (const changes of [{}, { chartType: 'raw' }, report]) {
      expect(isRead(changes), JSON.stringify(changes)).to.deep.equal([false, true]);
    }
  });

  it('is deterministic', () => {
    for (const changes of [...Object.values(queryCases), ...Object.values(resultsCases)]) {
      expect(compileMetricQuery(metricQuery(changes))).to.deep.equal(
        compileMetricQuery(metricQuery(changes)),
      );
    }
  });

  it('has placeholders instead of request values, and quoted names', () => {
    const secret = 'X\' OR 1=1 -- {isp:String} `"\\';
    const request = {
      splits: ["it's `odd`"],
      filters: [{ id: "it's `odd`", filterType: 'include', filterValues: [secret] }],
    };
    const { sql, params } = compileMetricQuery(metricQuery(request));
    expect(sql).not.to.contain('OR 1=1');
    expect(sql.split(' AS ')).to.satisfy((parts: string[]) =>
      parts.some((part) => part.startsWith("`it\\'s \\`odd\\``,")),
    );
    expect(Object.values(params).map(({ value }) => value)).to.deep.include([secret]);
  });

  it('lists the columns of a row in order, splits first', () => {
    const { columns, series } = compileMetricQuery(metricQuery({ splits: ['isp', 'unit'] }));
    const names = columns.map(({ name }) => name);
    expect(names.slice(0, 3)).to.deep.equal(['isp', 'unit', 'metricValue']);
    expect(series.keyColumns).to.equal(2);
  });

  it('has each column of a raw point once, and makes one series of them', () => {
    const { columns, series } = compileMetricQuery(
      metricQuery({ chartType: 'raw', splits: ['isp', 'unit'] }),
    );
    expect(columns.map(({ name }) => name)).to.deep.equal([
      'isp',
      'metricValue',
      'dtime',
      'agent',
      'unit',
    ]);
    expect(series.keyColumns).to.equal(0);
  });
});

describe('the SQL of a test data request', () => {
  const body = (test: string) => ({ test, date: { from: '2026-01', to: 'now' } });
  testGolden(
    'test-queries',
    mapped({ httpget: 'httpget', mobile_youtube: 'mobile_youtube' }, (test) => {
      return compileTestQuery(parseTestQuery(body(test), parseContext)).query;
    }),
  );
});

describe('the SQL with inlined values', () => {
  it('escapes quotes, and does not replace a value that looks like a placeholder', () => {
    const value = "it's {organisation:UInt32} \\ `x`\n\u2028";
    const { query } = compileMetricQuery(
      metricQuery({ filters: [{ id: 'isp', filterType: 'include', filterValues: [value] }] }),
    );
    const inlined = printInlined(query);
    expect(inlined).to.contain("IN ['it\\'s {organisation:UInt32} \\\\ \\`x\\`\\n\u2028']");
    expect(inlined).to.contain("dtime >= CAST('2025-12-31 10:00:00', 'DateTime64(3, \\'UTC\\')')");
    expect(inlined).to.contain('organisation_id = 7');
  });
});

function knownAtQuery(changes: Readonly<Record<string, unknown>>): CompiledQuery {
  const knownAt = { moment: new Date('2026-02-01T00:00:00Z'), changeId: 42 };
  const request = { knownAt: '2026-02-01 00:00', ...changes };
  return compileMetricQuery(metricQuery(request, { ...parseContext, knownAt }));
}

function flooredQuery(changes: Readonly<Record<string, unknown>>): MetricQuery {
  return metricQuery(changes, { ...parseContext, minAgents: 5 });
}

function resultsOf(changes: Readonly<Record<string, unknown>>): Query {
  const [results] = compileMetricQuery(metricQuery(changes)).query.steps;
  return { steps: [], select: results!.select };
}

function mapped<T, R>(cases: Readonly<Record<string, T>>, of: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(cases).map(([name, value]) => [name, of(value)]));
}
