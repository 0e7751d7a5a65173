import { expect } from 'chai';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import type { CompiledQuery } from '../../../services/query/compiler/compiled-query.ts';
import { printInlined } from '../../../services/shared/sql/print-query.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { goldenCases, goldenQuery, testGolden } from './golden.ts';

describe('the SQL of a request', () => {
  for (const one of goldenCases) testGolden(one);

  it('is deterministic', () => {
    for (const one of goldenCases) expect(goldenQuery(one)).to.deep.equal(goldenQuery(one));
  });
});

describe('the SQL of a metric data request', () => {
  it('has each percentile as a column for Parquet', () => {
    const { columns } = compileMetricQuery(metricQuery({}), { numberLists: 'columns' });
    const names = columns.map(({ name }) => name);
    expect(names).to.include.members(['p1', 'p50', 'p99']).and.not.to.include('percentiles');
  });

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

  it('has a sentence above every step, without any text of the request', () => {
    const odd = metricQuery({ splits: ["it's `odd`"], filters: [oddFilter] });
    const queries = goldenCases.filter(({ route }) => route === 'metric_data').map(goldenQuery);
    for (const { steps, why } of [...queries, compileMetricQuery(odd).query]) {
      for (const sentence of [why, ...steps.map((step) => step.why)].join('\n').split('\n')) {
        expect(sentence).to.match(/^[A-Z][\w ,:;'`-]+\.$/);
        expect(sentence).not.to.contain('odd');
      }
    }
  });

  it('is at most 60 lines for a daily series by ISP', () => {
    const { sql } = compileMetricQuery(metricQuery({ splits: ['isp'] }));
    expect(sql.split('\n')).to.have.lengthOf.at.most(60);
  });
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

const oddFilter = { id: "it's `odd`", filterType: 'include', filterValues: ['odd'] };

function knownAtQuery(changes: Readonly<Record<string, unknown>>): CompiledQuery {
  const knownAt = { moment: new Date('2026-02-01T00:00:00Z'), changeId: 42 };
  const request = { knownAt: '2026-02-01 00:00', ...changes };
  return compileMetricQuery(metricQuery(request, { ...parseContext, knownAt }));
}
