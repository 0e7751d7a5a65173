import { expect } from 'chai';
import { metricFields } from '../../../services/catalog/fields.ts';
import { findMetric, metrics } from '../../../services/catalog/metrics.ts';
import {
  hasColumn,
  testColumns,
  testTable,
  testTables,
  type TestKey,
} from '../../../services/catalog/test-tables.ts';

describe('the catalogue of metrics', () => {
  it('says of each metric whether higher or lower values are better', () => {
    const betterByUnit: Readonly<Record<string, string>> = {
      mbps: 'higher',
      ms: 'lower',
      s: 'lower',
      '%': 'lower',
    };
    for (const { key, unit, better } of metrics) {
      // Of the videos on a line, a share in HD may be little or much.
      if (unit in betterByUnit && !/(Uhd|Hd|Sd)(Busy)?$/.test(key))
        expect(better, key).to.equal(betterByUnit[unit]);
    }
    const others = Object.fromEntries(metrics.map(({ key, better }) => [key, better]));
    expect(others).to.include({
      httpget_retrans: 'lower',
      httppost_retrans: 'lower',
      panelOutages: 'lower',
      panelNetflixUhd: 'higher',
      panelNetflixHd: null,
      panelNetflixSdBusy: null,
      panelNetflixFailedBusy: 'lower',
      networkUsageDown: null,
      networkUsageUp: null,
      tracerouteHops: null,
    });
  });

  it('has unique names, and finds a metric by its alias', () => {
    const names = metrics.flatMap(({ key, aliases }) => [key, ...aliases]);
    expect(new Set(names).size).to.equal(names.length);
    expect(findMetric('httpgetmt')).to.equal(findMetric('httpget'));
    expect(findMetric('httppostmt')).to.equal(findMetric('httppost'));
  });

  it('expects as many results as blocks: the schedule of a test is that of its metrics', () => {
    for (const { key, test, everyHours } of metrics) {
      const { schedule } = testTable(test);
      if (schedule !== undefined) expect(schedule.resultsPerHour, key).to.equal(1 / everyHours);
    }
    expect(testTable('httpget').schedule?.resultsPerHour).to.equal(0.5);
  });

  it('defines only fields that exist in the test of the metric', () => {
    for (const metric of metrics) {
      for (const name of metric.ownFields) {
        const field = metricFields.find((candidate) => candidate.name === name);
        expect(field, `${metric.key}: ${name}`).to.not.equal(undefined);
        if (field?.source.kind === 'column') {
          expect(hasColumn(metric.test, field.source.column), `${metric.key}: ${name}`).to.be.true;
        }
      }
    }
  });

  it('does not offer raw failure rates', () => {
    // A published rate is one value of its unit, and a published cell is not a result.
    for (const { raw, unit, test } of metrics) {
      expect(raw).to.equal(test !== 'cells' && (unit !== '%' || test === 'panel'));
    }
  });
});

describe('the catalogue of tests', () => {
  for (const key of Object.keys(testTables) as TestKey[]) {
    it(`names only columns of ${key} in its key, its order of rows, its indexes and its comments`, () => {
      const { rowKey, lastRowBy = [], indexed = [], comments = {} } = testTable(key);
      const columns = testColumns(key).map(({ name }) => name);
      expect(new Set(columns)).to.have.property('size', columns.length);
      expect(columns).to.include.members([...rowKey, ...indexed, ...Object.keys(comments)]);
      expect(rowKey).to.include.members(lastRowBy);
    });
  }
});
