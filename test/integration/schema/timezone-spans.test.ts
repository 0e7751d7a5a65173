import { expect } from 'chai';
import { localTime, utcOffset } from '../../../services/catalog/result.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { localStack } from '../../support/local-stack.ts';

describe('local time', () => {
  it('changes in every time zone at the exact second, from 1970 to 2106', async () => {
    const { clickhouse } = await localStack();
    const [row] = await queryRows<{ checked: number; wrong: unknown[] }>(
      clickhouse,
      everySecondOfAChange,
    );
    expect(row?.wrong).to.deep.equal([]);
    // Two for each of the 56,000 periods of 597 zones.
    expect(row?.checked).to.be.greaterThan(100_000);
  });

  it('is UTC without a time zone, or with one that is not known', async () => {
    const { clickhouse } = await localStack();
    const rows = await queryRows<{ seconds: number }>(
      clickhouse,
      `WITH toDateTime('2026-07-01 12:00:00', 'UTC') AS ended_at, ${utcOffset('hash')} AS clock
       SELECT dateDiff('second', ended_at, ${localTime}) AS seconds
       FROM (SELECT arrayJoin([toUInt64(0), cityHash64('Mars/Olympus')]) AS hash)
       SETTINGS output_format_json_quote_64bit_integers = 0`,
    );
    expect(rows).to.deep.equal([{ seconds: 0 }, { seconds: 0 }]);
  });
});

/** The first and the last second of every period of the published offsets, with the SQL of the queries. */
const everySecondOfAChange = `
  WITH ${utcOffset('cityHash64(timezone)')} AS clock,
       toInt64(toUnixTimestamp(${localTime})) - toInt64(toUnixTimestamp(ended_at)) AS found_s
  SELECT toUInt32(count()) AS checked,
         groupArrayIf(10)((timezone, ended_at, utc_offset_s, found_s), found_s != utc_offset_s) AS wrong
  FROM (
    SELECT timezone, utc_offset_s, arrayJoin([valid_from, valid_to]) AS ended_at
    FROM timezone_offset_source FINAL
    WHERE tzdata_version = (
      SELECT tzdata_version FROM timezone_offset_version ORDER BY published_at DESC LIMIT 1)
      -- Local times before 1970 and after 2106 do not fit into a DateTime.
  )
  WHERE toUnixTimestamp(ended_at) BETWEEN 86400 AND 4294967295 - 86400`;
