import { expect } from 'chai';
import type { TimeRange } from '../../../services/query/request/selection.ts';
import { markPartial } from '../../../services/query/response/mark-partial.ts';
import { needsZones, wholeBuckets } from '../../../services/query/response/whole-buckets.ts';
import { metricQuery } from '../../support/metric-request.ts';

const now = new Date('2026-11-16T09:30:00Z');

function wholeOf(aggregation: string, times: readonly TimeRange[], zones = ['Europe/London']) {
  return wholeBuckets({ ...metricQuery({ aggregation }), times }, now, zones);
}

function local(from: string, to: string): TimeRange {
  return { from: { kind: 'local', clock: from }, to: { kind: 'local', clock: to } };
}

function instants(from: string, to: string): TimeRange {
  return { from: { kind: 'instant', utc: from }, to: { kind: 'instant', utc: to } };
}

const lastDays = instants('2026-11-09 09:30:00', '2026-11-16 09:30:00');

describe('the whole buckets of a range', () => {
  it('do not include a day that an instant cuts, in any time zone of the agents', () => {
    expect(wholeOf('daily', [lastDays])).to.deep.equal([
      { from: '2026-11-10', before: '2026-11-16' },
    ]);
    // 22:30 in Auckland on the 9th, 23:30 of the 15th in Honolulu.
    expect(wholeOf('daily', [lastDays], ['Pacific/Auckland', 'Pacific/Honolulu'])).to.deep.equal([
      { from: '2026-11-10', before: '2026-11-15' },
    ]);
  });

  it('do not include a bucket that is not over', () => {
    const month = local('2026-11-01 00:00:00', '2026-11-30 23:59:59');
    expect(wholeOf('daily', [month])).to.deep.equal([{ from: '2026-11-01', before: '2026-11-16' }]);
    expect(wholeOf('monthly', [month])).to.deep.equal([
      { from: '2026-11-01', before: '2026-11-01' },
    ]);
    expect(wholeOf('two_hourly', [month])).to.deep.equal([
      { from: '2026-11-01T00:00:00', before: '2026-11-16T08:00:00' },
    ]);
    // 15:15 in Kathmandu.
    expect(wholeOf('hourly', [month], ['Asia/Kathmandu'])).to.deep.equal([
      { from: '2026-11-01T00:00:00', before: '2026-11-16T15:00:00' },
    ]);
  });

  it('are whole years only, from 1 January to 31 December', () => {
    const years = local('2023-02-01 00:00:00', '2026-12-31 23:59:59');
    expect(wholeOf('yearly', [years])).to.deep.equal([
      { from: '2024-01-01', before: '2026-01-01' },
    ]);
    const leapYear = local('2024-01-01 00:00:00', '2024-12-31 23:59:59');
    expect(wholeOf('yearly', [leapYear])).to.deep.equal([
      { from: '2024-01-01', before: '2025-01-01' },
    ]);
    const cut = local('2024-01-01 00:00:00', '2024-12-31 23:59:58');
    expect(wholeOf('yearly', [cut])).to.deep.equal([{ from: '2024-01-01', before: '2024-01-01' }]);
  });

  it('are exact to the second for a local range', () => {
    const range = local('2026-10-07 00:00:01', '2026-10-14 23:59:58');
    expect(wholeOf('daily', [range])).to.deep.equal([{ from: '2026-10-08', before: '2026-10-14' }]);
    expect(wholeOf('weekly', [range])).to.deep.equal([
      { from: '2026-10-12', before: '2026-10-12' },
    ]);
    expect(needsZones({ times: [range] }, now)).to.equal(false);
    expect(needsZones({ times: [lastDays] }, now)).to.equal(true);
    expect(
      needsZones({ times: [local('2026-11-01 00:00:00', '2026-11-15 23:59:59')] }, now),
    ).to.equal(true);
  });

  it('continue where one range follows another', () => {
    const first = local('2026-10-01 00:00:00', '2026-10-05 11:59:59');
    const second = local('2026-10-05 12:00:00', '2026-10-09 23:59:59');
    const third = local('2026-10-11 00:00:00', '2026-10-12 23:59:59');
    expect(wholeOf('daily', [third, second, first])).to.deep.equal([
      { from: '2026-10-01', before: '2026-10-10' },
      { from: '2026-10-11', before: '2026-10-13' },
    ]);
  });

  it('are undefined for profiles and totals', () => {
    expect(wholeOf('hour_of_day', [lastDays])).to.equal(undefined);
    expect(wholeOf('total', [lastDays])).to.equal(undefined);
  });
});

describe('the mark of partial points', () => {
  const lines = [
    String.raw`{"isp":"x\",\"dtime\":\"1999-01-01","metricValue":1,"dtime":"2026-11-09","median":{"a":1}}`,
    '{"isp":"é","metricValue":2,"dtime":"2026-11-10","median":2}',
    '{"isp":"é","metricValue":3,"dtime":"2026-11-16","median":2}',
    '{"isp":"é","bucketShare":3,"bucketCount":4}',
  ];
  const response = Buffer.from(lines.map((line) => `${line}\n`).join(''));

  it('is added to the buckets that are not whole, wherever the bytes are split', async () => {
    const expected = [0, 2].reduce(
      (all, i) => all.with(i, all[i]!.replace(/}$/, ',"partial":true}')),
      lines,
    );
    for (let at = 0; at <= response.length; at++) {
      const pieces = [response.subarray(0, at), response.subarray(at)];
      const marked: Buffer[] = [];
      for await (const chunk of markPartial(
        streamOf(pieces),
        [{ from: '2026-11-10', before: '2026-11-16' }],
        'object',
      )) {
        marked.push(chunk);
      }
      expect(Buffer.concat(marked).toString()).to.equal(
        expected.map((line) => `${line}\n`).join(''),
      );
    }
  });

  it('is a field of every row with a bucket in NDJSON', async () => {
    const marked: unknown[] = [];
    const whole = [{ from: '2026-11-10', before: '2026-11-16' }];
    for await (const chunk of markPartial(streamOf([response]), whole, 'row')) {
      marked.push(
        ...chunk
          .toString()
          .trimEnd()
          .split('\n')
          .map((line) => partialOf(line)),
      );
    }
    expect(marked).to.deep.equal([true, false, true, undefined]);
  });
});

function partialOf(line: string): unknown {
  return (JSON.parse(line) as { partial?: unknown }).partial;
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}
