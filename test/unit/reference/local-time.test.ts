import { expect } from 'chai';
import { bucketOf } from '../../reference/bucket.ts';
import { clockText, localTimeMs } from '../../reference/local-time.ts';

describe('local time and buckets of the reference', () => {
  it('Kathmandu is UTC+5:45, so its day starts at 18:15 UTC', () => {
    expect(clockIn('Asia/Kathmandu', '2026-10-24T18:14:59Z')).to.equal('2026-10-24T23:59:59');
    expect(clockIn('Asia/Kathmandu', '2026-10-24T18:15:00Z')).to.equal('2026-10-25T00:00:00');
  });

  it("St John's repeats an hour on 1 November", () => {
    expect(clockIn('America/St_Johns', '2026-11-01T04:29:59Z')).to.equal('2026-11-01T01:59:59');
    expect(clockIn('America/St_Johns', '2026-11-01T04:30:00Z')).to.equal('2026-11-01T01:00:00');
  });

  it('Lord Howe changes its clock by half an hour', () => {
    expect(clockIn('Australia/Lord_Howe', '2026-10-03T15:29:59Z')).to.equal('2026-10-04T01:59:59');
    expect(clockIn('Australia/Lord_Howe', '2026-10-03T15:30:00Z')).to.equal('2026-10-04T02:30:00');
  });

  it('a household without a time zone uses UTC', () => {
    expect(clockText(localTimeMs(Date.parse('2026-10-25T01:00:00Z'), null))).to.equal(
      '2026-10-25T01:00:00',
    );
  });

  it('the 25 hours of 25 October in London are one day with 24 hourly buckets', () => {
    const firstUtcMs = Date.parse('2026-10-24T23:00:00Z');
    const locals = Array.from({ length: 25 }, (_, hour) =>
      localTimeMs(firstUtcMs + hour * 3_600_000, 'Europe/London'),
    );
    const days = new Set(locals.map((local) => bucketOf('daily', local).dtime));
    const hours = locals.map((local) => bucketOf('hourly', local).dtime);
    expect([...days]).to.deep.equal(['2026-10-25']);
    expect(new Set(hours).size).to.equal(24);
    expect(hours.filter((hour) => hour === '2026-10-25T01:00:00')).to.have.length(2);
  });

  it('each aggregation has the right bucket for Sunday, 1 November 2026, 13:37', () => {
    const local = Date.parse('2026-11-01T13:37:00Z');
    const starts = {
      hourly: '2026-11-01T13:00:00',
      two_hourly: '2026-11-01T12:00:00',
      four_hourly: '2026-11-01T12:00:00',
      six_hourly: '2026-11-01T12:00:00',
      daily: '2026-11-01',
      weekly: '2026-10-26',
      monthly: '2026-11-01',
      quarterly: '2026-10-01',
      yearly: '2026-01-01',
    } as const;
    for (const [aggregation, dtime] of Object.entries(starts)) {
      expect(bucketOf(aggregation as keyof typeof starts, local)).to.deep.equal({ dtime });
    }
    expect(bucketOf('hour_of_day', local)).to.deep.equal({ aggregatedNumber: 13 });
    expect(bucketOf('day_of_week', local)).to.deep.equal({ aggregatedNumber: 7 });
    expect(bucketOf('day_of_month', local)).to.deep.equal({ aggregatedNumber: 1 });
    expect(bucketOf('total', local)).to.deep.equal({});
  });
});

function clockIn(timezone: string, utc: string): string {
  return clockText(localTimeMs(Date.parse(utc), timezone));
}
