import { expect } from 'chai';
import { clockSeconds, everyBucket } from '../../../services/explorer/src/series/align.ts';

describe('the buckets of a chart', () => {
  it('include buckets without results, so that the chart has a gap there', () => {
    const days = ['2026-11-01', '2026-11-04'].map(clockSeconds);
    expect(texts(everyBucket(days, 'daily'))).to.deep.equal([
      '2026-11-01T00:00',
      '2026-11-02T00:00',
      '2026-11-03T00:00',
      '2026-11-04T00:00',
    ]);
    const hours = ['2026-11-01T22:00:00', '2026-11-02T06:00:00'].map(clockSeconds);
    expect(texts(everyBucket(hours, 'four_hourly'))).to.deep.equal([
      '2026-11-01T22:00',
      '2026-11-02T02:00',
      '2026-11-02T06:00',
    ]);
  });

  it('follow the calendar for months, quarters and years', () => {
    const months = ['2026-01-01', '2026-04-01'].map(clockSeconds);
    expect(texts(everyBucket(months, 'monthly'))).to.deep.equal([
      '2026-01-01T00:00',
      '2026-02-01T00:00',
      '2026-03-01T00:00',
      '2026-04-01T00:00',
    ]);
    const quarters = ['2025-10-01', '2026-04-01'].map(clockSeconds);
    expect(texts(everyBucket(quarters, 'quarterly'))).to.deep.equal([
      '2025-10-01T00:00',
      '2026-01-01T00:00',
      '2026-04-01T00:00',
    ]);
    const years = ['2023-01-01', '2026-01-01'].map(clockSeconds);
    expect(texts(everyBucket(years, 'yearly'))).to.deep.equal([
      '2023-01-01T00:00',
      '2024-01-01T00:00',
      '2025-01-01T00:00',
      '2026-01-01T00:00',
    ]);
  });

  it('are empty without results', () => {
    expect(everyBucket([], 'daily')).to.deep.equal([]);
  });
});

function texts(seconds: readonly number[]): string[] {
  return seconds.map((one) => new Date(one * 1000).toISOString().slice(0, 16));
}
