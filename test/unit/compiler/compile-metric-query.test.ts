import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import { compileTestQuery } from '../../../services/query/compiler/compile-test-query.ts';
import { inlineParams } from '../../../services/query/compiler/inline-params.ts';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { expectGolden } from './golden.ts';
import { metricCases } from './golden-cases.ts';

describe('The SQL of a request for metric data', () => {
  for (const [name, changes] of Object.entries(metricCases)) {
    it(`is as written down: ${name}`, () => {
      expectGolden(name, compileMetricQuery(metricQuery(changes)));
    });
  }

  it('has a column a percentile where they cannot be an object', () => {
    expectGolden(
      'percentiles-columns',
      compileMetricQuery(metricQuery({ splits: ['isp'] }), { percentiles: 'columns' }),
    );
  });

  it('is the same text every time', () => {
    for (const changes of Object.values(metricCases)) {
      expect(compileMetricQuery(metricQuery(changes))).to.deep.equal(
        compileMetricQuery(metricQuery(changes)),
      );
    }
  });

  it('holds no value of the request, only places for them, and names quoted', () => {
    const secret = 'X\' OR 1=1 -- {p0:String} `"\\';
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

  it('names the columns of a row in order, the splits first', () => {
    const { columns, seriesColumns } = compileMetricQuery(
      metricQuery({ chartType: 'raw', splits: ['isp', 'unit'] }),
    );
    expect(columns.map(({ name }) => name)).to.deep.equal([
      'isp',
      'unit',
      'metricValue',
      'dtime',
      'agent',
    ]);
    expect(seriesColumns).to.deep.equal(['isp', 'unit']);
  });
});

describe('The SQL of a request for test data', () => {
  for (const test of ['httpget', 'mobile_youtube']) {
    it(`is as written down: ${test}`, () => {
      const body = { test, date: { from: '2026-01', to: 'now' } };
      expectGolden(`test-data-${test}`, compileTestQuery(parseTestQuery(body, parseContext)));
    });
  }
});

describe('The SQL with its values written into it', () => {
  it('quotes what would end a string, and leaves a value that looks like a placeholder alone', () => {
    const value = "it's {p0:UInt32} \\ `x`\n";
    const compiled = compileMetricQuery(
      metricQuery({ filters: [{ id: 'isp', filterType: 'include', filterValues: [value] }] }),
    );
    const inlined = inlineParams(compiled);
    expect(inlined).to.contain("IN ['it\\'s {p0:UInt32} \\\\ \\`x\\`\\n']");
    expect(inlined).to.contain("dtime >= CAST('2025-12-31 10:00:00', 'DateTime64(3, \\'UTC\\')')");
    expect(inlined).to.contain('organisation_id = 7');
  });
});

describe('The golden files', () => {
  it('are all in use', () => {
    const files = readdirSync(join(repositoryRoot, 'test/unit/compiler/golden'));
    const used = [
      ...Object.keys(metricCases),
      'percentiles-columns',
      'test-data-httpget',
      'test-data-mobile_youtube',
    ];
    expect(files.sort()).to.deep.equal(used.map((name) => `${name}.sql`).sort());
  });
});
