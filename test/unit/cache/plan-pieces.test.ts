import { expect } from 'chai';
import { joinedTimes, planPieces } from '../../../services/query/cache/plan-pieces.ts';
import type { AggregateMetricQuery } from '../../../services/query/request/metric-query.ts';
import type { TimeRange } from '../../../services/query/request/selection.ts';
import { aggregations, bucketOf } from '../../reference/bucket.ts';
import { metricQuery } from '../../support/metric-request.ts';

const now = new Date('2026-11-16T12:00:00Z');

function queryFor(changes: object, time: TimeRange): AggregateMetricQuery {
  const query = metricQuery(changes as Record<string, unknown>) as AggregateMetricQuery;
  return { ...query, times: [time] };
}

function local(from: string, to: string): TimeRange {
  return { from: { kind: 'local', clock: from }, to: { kind: 'local', clock: to } };
}

function instants(from: string, to: string): TimeRange {
  return { from: { kind: 'instant', utc: from }, to: { kind: 'instant', utc: to } };
}

function bucketsOf(aggregation: string, time: TimeRange): readonly string[] {
  return planPieces(queryFor({ aggregation }, time), now).map(({ buckets }) =>
    buckets === undefined ? 'ends' : `${buckets.from} ${buckets.before}`,
  );
}

describe('the pieces of an answer', () => {
  it('are whole months, and days where the range has not the whole month', () => {
    const range = local('2026-01-30 00:00:00', '2026-03-02 23:59:59');
    for (const aggregation of ['daily', 'hourly', 'six_hourly']) {
      expect(bucketsOf(aggregation, range)).to.deep.equal([
        '2026-01-30 2026-01-31',
        '2026-01-31 2026-02-01',
        '2026-02-01 2026-03-01',
        '2026-03-01 2026-03-02',
        '2026-03-02 2026-03-03',
      ]);
    }
  });

  it('are days in a month that is not over', () => {
    const range = local('2026-11-01 00:00:00', '2026-11-30 23:59:59');
    expect(bucketsOf('daily', range)).to.have.length(30);
  });

  it('are weeks by the month of their Monday, months, quarters and years', () => {
    const year = local('2026-01-01 00:00:00', '2026-04-30 23:59:59');
    expect(bucketsOf('weekly', year)).to.deep.equal([
      '2026-01-05 2026-02-02',
      '2026-02-02 2026-03-02',
      '2026-03-02 2026-04-06',
      '2026-04-06 2026-04-13',
      '2026-04-13 2026-04-20',
      '2026-04-20 2026-04-27',
      'ends',
    ]);
    expect(bucketsOf('monthly', year)).to.have.length(4);
    expect(bucketsOf('quarterly', year)).to.deep.equal(['2026-01-01 2026-04-01', 'ends']);
    expect(bucketsOf('yearly', year)).to.deep.equal(['ends']);
    const years = local('2023-05-01 00:00:00', '2026-11-15 23:59:59');
    expect(bucketsOf('yearly', years)).to.deep.equal([
      '2024-01-01 2025-01-01',
      '2025-01-01 2026-01-01',
      'ends',
    ]);
  });

  it('leave to the ends what the range cuts in any time zone', () => {
    const range = instants('2026-03-01 00:00:00', '2026-03-04 11:59:59');
    // At +14:00 it is 14:00 of 1 March at the start; at -12:00 it is 4 March 00:00 after the end.
    expect(bucketsOf('daily', range)).to.deep.equal([
      '2026-03-02 2026-03-03',
      '2026-03-03 2026-03-04',
      'ends',
    ]);
    const later = instants('2026-03-01 00:00:00', '2026-03-04 11:59:58');
    expect(bucketsOf('daily', later)).to.deep.equal(['2026-03-02 2026-03-03', 'ends']);
  });

  it('are one if buckets depend on each other', () => {
    const range = local('2026-01-01 00:00:00', '2026-03-31 23:59:59');
    expect(bucketsOf('hour_of_day', range)).to.deep.equal(['ends']);
    expect(bucketsOf('total', range)).to.deep.equal(['ends']);
    for (const changes of [
      { household: { statistic: 'trimmedMean' } },
      { switchers: 'longest' },
      { overBuckets: 'busiest', household: { statistic: 'mean' } },
    ]) {
      const pieces = planPieces(queryFor({ aggregation: 'daily', ...changes }, range), now);
      expect(pieces, JSON.stringify(changes)).to.deep.equal([{ times: [range] }]);
    }
  });

  it('have together exactly the range', () => {
    for (const range of [
      local('2026-01-30 10:00:00', '2026-03-02 09:00:00'),
      instants('2026-01-30 10:00:00', '2026-11-16 12:00:00'),
      local('2026-01-30 00:00:00', '2026-01-30 00:00:00'),
    ]) {
      for (const aggregation of aggregations) {
        const pieces = planPieces(queryFor({ aggregation }, range), now);
        expect(joinedTimes(pieces)).to.deep.equal([range]);
      }
    }
  });

  it('never cut a bucket, of any aggregation, in leap years and from within a year', () => {
    for (const range of [
      local('2023-12-30 00:00:00', '2026-03-02 23:59:59'),
      local('2024-02-29 10:00:00', '2025-02-28 09:00:00'),
      // -400 days at the end of a leap year.
      instants('2023-11-27 08:00:00', '2024-12-31 08:00:00'),
    ]) {
      for (const aggregation of aggregations) {
        const pieces = planPieces(queryFor({ aggregation }, range), now);
        for (const { buckets } of pieces) {
          for (const day of buckets === undefined ? [] : [buckets.from, buckets.before]) {
            const { dtime } = bucketOf(aggregation, Date.parse(day));
            expect(dtime?.slice(0, 10), `${aggregation}, ${day}`).to.equal(day);
          }
        }
      }
    }
  });
});
