import { expect } from 'chai';
import { bucketUnit } from '../../../services/query/cache/bucket-unit.ts';
import { openPanel, type Panel, type Row } from './open-panel.ts';

describe("results in the agents' local time", () => {
  let panel: Panel;
  before(async () => {
    panel = await openPanel();
    await panel.agents(
      { agent: 1, timezone: 'Asia/Kathmandu' },
      { agent: 2, timezone: 'America/St_Johns' },
      { agent: 3, timezone: 'Europe/Berlin', to: '2026-01-14 23:59:59' },
      { agent: 3, timezone: 'America/New_York', from: '2026-01-15 00:00:00' },
      { agent: 4, timezone: 'Pacific/Kiritimati' },
      { agent: 5, timezone: 'Etc/GMT+12' },
    );
  });
  after(() => panel.close());

  let org = 0;
  /** Adds downloads, given as agent and UTC time, to a new organisation. */
  async function downloads(...results: readonly (readonly [number, string])[]): Promise<number> {
    org++;
    const rows = results.map(([agent, dtime]): Row => ({
      org,
      agent,
      dtime,
      target: 't',
      bytes_sec: 125_000,
    }));
    await panel.results('httpget', rows);
    return org;
  }

  async function buckets(organisation: number, aggregation: string, from: string, to: string) {
    const points = await panel.query(organisation, { aggregation, time: { from, to } });
    return points.map((point) => [point.dtime ?? point.aggregatedNumber, point.sampleCount]);
  }

  it('start the day at 18:15 UTC in Kathmandu', async () => {
    const id = await downloads([1, '2026-01-09 18:14:59.999'], [1, '2026-01-09 18:15:00.000']);
    expect(await buckets(id, 'daily', '2026-01-01 00:00', '2026-01-31 00:00')).to.deep.equal([
      ['2026-01-09', 1],
      ['2026-01-10', 1],
    ]);
    expect(await buckets(id, 'hourly', '2026-01-01 00:00', '2026-01-31 00:00')).to.deep.equal([
      ['2026-01-09T23:00:00', 1],
      ['2026-01-10T00:00:00', 1],
    ]);
  });

  it('have no hour 2 on the 23-hour day', async () => {
    // St John's: -03:30, from 02:00 on 8 March -02:30.
    const id = await downloads([2, '2026-03-08 05:29:00'], [2, '2026-03-08 05:30:00']);
    expect(await buckets(id, 'hourly', '2026-03-08 00:00', '2026-03-08 23:59')).to.deep.equal([
      ['2026-03-08T01:00:00', 1],
      ['2026-03-08T03:00:00', 1],
    ]);
  });

  it('have both hours 1 of the 25-hour day in one bucket', async () => {
    const id = await downloads([2, '2026-11-01 03:30:00'], [2, '2026-11-01 04:30:00']);
    expect(await buckets(id, 'hourly', '2026-11-01 01:00', '2026-11-01 01:59:59')).to.deep.equal([
      ['2026-11-01T01:00:00', 2],
    ]);
  });

  it('use the new time zone after an agent moved', async () => {
    const id = await downloads([3, '2026-01-14 23:30:00'], [3, '2026-01-15 02:00:00']);
    const raw = await panel.query(id, {
      chartType: 'raw',
      time: { from: '2026-01-14 00:00', to: '2026-01-16 00:00' },
    });
    // 23:30 UTC is half past midnight in Berlin; 02:00 UTC is 21:00 of the day before in New York.
    expect(raw.map(({ dtime }) => dtime)).to.deep.equal([
      '2026-01-14T21:00:00',
      '2026-01-15T00:30:00',
    ]);
    const range = ['2026-01-14 21:00:00', '2026-01-14 21:00:00'] as const;
    expect(await buckets(id, 'daily', ...range)).to.deep.equal([['2026-01-14', 1]]);
  });

  it('are found at the edges of the most extreme time zones, both ends included', async () => {
    const id = await downloads(
      [4, '2025-12-31 09:59:59.999'],
      [4, '2025-12-31 10:00:00.000'],
      [5, '2026-01-02 11:59:59.999'],
      [5, '2026-01-02 12:00:00.000'],
    );
    // Precision is one second: a range that ends at 23:59:59 includes 23:59:59.999.
    expect(await buckets(id, 'daily', '2026-01-01 00:00:00', '2026-01-01 23:59:59')).to.deep.equal([
      ['2026-01-01', 2],
    ]);
  });

  it("belong to a day on each household's own calendar", async () => {
    // 9 February on Kiritimati (+14:00) has ended before it begins at -12:00.
    const id = await downloads(
      [4, '2026-02-08 09:59:59'],
      [4, '2026-02-08 10:00:00'],
      [4, '2026-02-09 09:59:59.999'],
      [5, '2026-02-09 12:00:00'],
      [5, '2026-02-10 11:59:59'],
      [5, '2026-02-10 12:00:00'],
    );
    expect(await buckets(id, 'daily', '2026-02-09', '2026-02-09')).to.deep.equal([
      ['2026-02-09', 4],
    ]);
  });

  it('are selected by UTC time for times relative to now', async () => {
    const id = await downloads(
      [1, '2026-02-14 10:20:30.900'],
      [2, '2026-02-14 10:20:31.000'],
      [1, '2026-02-07 10:20:30.000'],
      [2, '2026-02-07 10:20:29.999'],
    );
    // The request is made at 2026-02-14 10:20:30 UTC.
    expect(await buckets(id, 'daily', '-7 days', 'now')).to.deep.equal([
      ['2026-02-07', 1],
      ['2026-02-14', 1],
    ]);
  });

  it('are grouped by year on the clock of the household', async () => {
    // Midnight in Kathmandu is 18:15 UTC.
    const id = await downloads(
      [1, '2023-12-31 18:14:59'],
      [1, '2023-12-31 18:15:00'],
      [1, '2024-02-29 12:00:00'],
      [1, '2024-12-31 18:14:59'],
      [1, '2024-12-31 18:15:00'],
    );
    expect(await buckets(id, 'yearly', '2023-12-15', '2025-01-15')).to.deep.equal([
      ['2023-01-01', 1],
      ['2024-01-01', 3],
      ['2025-01-01', 1],
    ]);
  });

  it('have buckets of any number of months that begin where pieces of answers do', async () => {
    for (const months of [1, 2, 3, 4, 6, 12, 24, 60]) {
      const unit = bucketUnit({ label: '', kind: 'time', step: { months } });
      const rows = await panel.run(
        `SELECT toDate('2019-12-31') + 37 * number AS day,
          toStartOfInterval(toDateTime(day, 'UTC'), INTERVAL ${months} MONTH)
        FROM numbers(100)`,
      );
      for (const row of rows.trim().split('\n')) {
        const [day, start] = row.split('\t');
        expect(unit?.lastUpTo(`${day} 00:00:00`), `${months} months, ${day}`).to.equal(start);
      }
    }
  });

  it('are grouped by every kind of bucket', async () => {
    // 1 January 2026 is a Thursday, in Kathmandu at 13:45.
    const id = await downloads([1, '2026-01-01 08:00:00'], [1, '2026-01-04 20:00:00']);
    const expected: Record<string, unknown> = {
      hourly: ['2026-01-01T13:00:00', '2026-01-05T01:00:00'],
      two_hourly: ['2026-01-01T12:00:00', '2026-01-05T00:00:00'],
      four_hourly: ['2026-01-01T12:00:00', '2026-01-05T00:00:00'],
      six_hourly: ['2026-01-01T12:00:00', '2026-01-05T00:00:00'],
      daily: ['2026-01-01', '2026-01-05'],
      weekly: ['2025-12-29', '2026-01-05'],
      monthly: ['2026-01-01'],
      quarterly: ['2026-01-01'],
      yearly: ['2026-01-01'],
      hour_of_day: [1, 13],
      day_of_week: [1, 4],
      day_of_month: [1, 5],
      hour_of_week: [1, 85],
      total: [undefined],
    };
    for (const [aggregation, keys] of Object.entries(expected)) {
      const found = await buckets(id, aggregation, '2025-12-31 00:00', '2026-01-31 00:00');
      expect(
        found.map(([key]) => key),
        aggregation,
      ).to.deep.equal(keys);
    }
  });
});
