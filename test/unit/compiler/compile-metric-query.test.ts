import { expect } from 'chai';
import {
  type AggregationDefinition,
  aggregations,
} from '../../../services/catalog/aggregations.ts';
import { metrics } from '../../../services/catalog/metrics.ts';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import type { CompiledQuery } from '../../../services/query/compiler/compiled-query.ts';
import { printInlined, printQuery } from '../../../services/shared/sql/print-query.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { goldenCases, goldenQuery, testGolden } from './golden.ts';

describe('the SQL of a request', () => {
  for (const one of goldenCases) testGolden(one);

  it('is deterministic', () => {
    for (const one of goldenCases) expect(goldenQuery(one)).to.deep.equal(goldenQuery(one));
  });
});

/** Field, type and values of a filter, and its condition. */
const filterConditions: Readonly<Record<string, string>> = {
  'target include a.example': "nullIf(target, '') IN {target:Array(String)}",
  'target_set exclude europe':
    "NOT ifNull( nullIf(target_group, '') IN {target_set:Array(String)}, 0)",
  'threads 1 4 8': 'threads IN {threads:Array(UInt64)}',
  'unit 0 123': 'NOT ifNull( unit_id IN {unit:Array(UInt64)}, 0)',
  "isp inclusive O'Brien": 'isp IN {isp:Array(String)}',
  'package exclusive A:Fibre': 'NOT ifNull( package IN {package:Array(String)}, 0)',
  'custom.isp exclude x':
    "NOT ifNull( dictGet('custom_value', 'value', sipHash64(customs, {custom_key:String})) IN {custom_value:Array(String)}, 0)",
  'set exclude pilot':
    'NOT agent_key IN ( SELECT agent_key FROM agent_set_agents WHERE organisation_id = {organisation:UInt32} AND name IN {set:Array(String)})',
};

describe('the SQL of a metric data request', () => {
  it('reads the results of the test that have the metric, and only reliable ones with the prefilter', () => {
    for (const { key, test, existsWhen, prefilter, measure, masked } of metrics) {
      const value =
        measure.kind === 'value'
          ? `toFloat64(${measure.value})`
          : `100 * ${measure.numerator} / ${measure.denominator}`;
      for (const isReliable of [false, true]) {
        const conditions = [existsWhen, isReliable ? prefilter : '1'].filter((sql) => sql !== '1');
        const where = [
          'organisation_id = {organisation:UInt32}',
          ...conditions,
          'toDate(dtime) >=',
        ];
        // Points also count masked values: api/query/masked-values.
        const chartType = masked === undefined ? 'aggregate' : 'raw';
        expect(resultsOf({ metric: key, prefilter: isReliable, chartType }), key)
          .to.include(`    ${value} AS value`)
          .and.to.include(`FROM results_${test}\nWHERE\n    ${where.join('\n    AND ')}`);
      }
    }
  });

  it('groups results by the bucket of each aggregation', () => {
    const definitions: Readonly<Record<string, AggregationDefinition>> = aggregations;
    for (const [aggregation, { bucket }] of Object.entries(definitions)) {
      const sql = resultsOf({ aggregation });
      if (bucket === undefined) expect(sql).not.to.include('AS bucket');
      else expect(sql).to.include(`${bucket} AS bucket,\n`);
    }
  });

  for (const [fields, condition] of Object.entries(filterConditions)) {
    it(`has the condition of ${fields}`, () => {
      const [field = '', filterType, ...values] = fields.split(' ');
      const filter = { id: field, filterType, filterValues: values };
      expect(resultsOf({ filters: [filter] }).replace(/\s+/g, ' ')).to.include(`AND ${condition}`);
    });
  }

  it('compares clock times with the local time, and moments with the time of the result alone', () => {
    const clock = "local_time BETWEEN {from:DateTime('UTC')} AND {to:DateTime('UTC')}";
    const from = "local_time >= {from:DateTime('UTC')}";
    expect(resultsOf({})).to.include(clock);
    expect(resultsOf({ time: { from: '2026-02-01 00:00', to: 'now' } })).to.include(from);
    const moments = resultsOf({ time: { from: '-7 days', to: 'now' }, aggregation: 'total' });
    expect(moments).not.to.include('local_time');
  });

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

/** The first step: the results that are selected. */
function resultsOf(changes: Readonly<Record<string, unknown>>): string {
  const [results] = compileMetricQuery(metricQuery(changes)).query.steps;
  return printQuery({ steps: [], select: results!.select }).sql;
}
