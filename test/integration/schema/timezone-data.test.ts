import { expect } from 'chai';
import { samplePlaces } from '../../../deploy/local/sample/panel/sample-places.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { utcOffsetMs } from '../../../services/shared/timezones.ts';
import { localStack } from '../../support/local-stack.ts';

// A difference means that one of the three has older rules. Update it, or the engine, before the rule takes effect.
describe('the time zones of the sample panel, each day from 2020 to 2030', () => {
  const noons = Array.from({ length: 11 * 365 }, (_, day) => Date.UTC(2020, 0, 1 + day, 12));

  for (const { timezone } of Object.values(samplePlaces)) {
    const offsets = noons.map((ms) => utcOffsetMs(timezone, ms) / 1000);

    it(`${timezone} has the same offsets in Node`, () => {
      const clock = new Intl.DateTimeFormat('sv-SE', {
        timeZone: timezone,
        dateStyle: 'short',
        timeStyle: 'medium',
      });
      const ofNode = noons.map((ms) => {
        const local = clock.format(ms).replace(' ', 'T');
        return (Date.parse(`${local}Z`) - ms) / 1000;
      });
      expect(changes(ofNode)).to.deep.equal(changes(offsets));
    });

    it(`${timezone} has the same offsets in ClickHouse`, async () => {
      const { clickhouse } = await localStack();
      const rows = await queryRows<{ offset: number }>(
        clickhouse,
        `SELECT timezoneOffset(toDateTime(ms / 1000, '${timezone}')) AS offset
         FROM (SELECT arrayJoin([${noons.join(', ')}]) AS ms) ORDER BY ms`,
      );
      expect(changes(rows.map(({ offset }) => offset))).to.deep.equal(changes(offsets));
    });
  }

  /** The days on which an offset is another than on the day before. */
  function changes(offsets: readonly number[]): readonly string[] {
    return offsets.flatMap((offset, i) =>
      offset === offsets[i - 1]
        ? []
        : [`${new Date(noons[i] ?? NaN).toISOString().slice(0, 10)} ${offset}`],
    );
  }
});
