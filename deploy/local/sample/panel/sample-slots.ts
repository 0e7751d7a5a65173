import { offsetSeconds, utcOffset } from '../../../../services/catalog/result.ts';
import type { SampleRange } from './sample-range.ts';

/** Temporary tables, which exist while results are generated. */
export const samplePanelTables = ['sample_lines', 'sample_slots'] as const;

/** The agents and their lines, one row per period. */
export const createSampleLines = `CREATE TABLE sample_lines
(
    organisation_id UInt32,
    agent_key UInt64,
    agent_id String,
    unit_id Nullable(UInt64),
    kind LowCardinality(String),
    base LowCardinality(String),
    is_legacy UInt8,
    country LowCardinality(String),
    near_server LowCardinality(String),
    carrier LowCardinality(String),
    manufacturer LowCardinality(String),
    operating_system LowCardinality(String),
    operating_system_version LowCardinality(String),
    timezone String,
    line_down Float64 COMMENT 'bytes per second',
    line_up Float64 COMMENT 'bytes per second',
    peak_loss Float64 COMMENT 'Share of the speed lost in the busiest hour',
    line_rtt_us Float64,
    offset_s UInt32 COMMENT 'Seconds after the hour at which the agent tests',
    first_slot UInt16,
    end_slot UInt16 COMMENT 'Not included'
)
ENGINE = Memory`;

/**
 * A slot is an hour in which an agent was online, with the speed and latency of its line. All tests of
 * the hour use it, so a bad hour shows in all of them.
 */
export function createSampleSlots(range: SampleRange, seed: number): string {
  const startS = range.startsAt.getTime() / 1000;
  return `CREATE TABLE sample_slots ENGINE = Memory AS
WITH
    -- Network load by local hour: low at night, highest from 19 to 23.
    [.05, .02, 0, 0, 0, .03, .08, .12, .15, .15, .15, .18, .2, .2, .2, .25, .35, .5, .7, .9, 1, 1, .95, .5] AS busy_by_hour,
    toDateTime(slot_s) AS slot_time,
    ${utcOffset('cityHash64(timezone)', { at: 'slot_time' })} AS clock,
    ${offsetSeconds('slot_time', 'clock')} AS utc_offset_s,
    cityHash64(agent_hash, slot) AS slot_hash,
    cityHash64(agent_hash, intDiv(slot, 24), 'day') AS day_hash,
    0.8 + agent_hash % 1000 / 5000 AS line_quality,
    0.93 + slot_hash % 1000 / 14000 AS weather,
    -- One agent in eight was offline for two to nine consecutive days.
    toInt64(agent_hash % 1100) AS away_from_slot,
    48 + intDiv(agent_hash, 1100) % 170 AS away_slots
SELECT
    organisation_id, agent_key, agent_id, unit_id, kind, base, is_legacy, country, near_server,
    carrier, manufacturer, operating_system, operating_system_version,
    cityHash64(toUInt64(${seed}), agent_id) AS agent_hash,
    slot,
    toUInt32(${startS} + slot * 3600 + offset_s) AS slot_s,
    busy_by_hour[1 + intDiv((slot_s + utc_offset_s) % 86400, 3600)] AS busy,
    line_down * line_quality * weather * (1 - peak_loss * busy) AS down,
    line_up * line_quality * weather * (1 - peak_loss * busy / 2) AS up,
    line_rtt_us * (1.1 - line_quality / 4) * (1 + peak_loss * busy) / weather AS rtt_us,
    agent_hash % 5 < 2 AS has_ipv6
FROM sample_lines
ARRAY JOIN range(first_slot, end_slot) AS slot
WHERE slot_hash % 100 >= 3
  AND day_hash % 100 >= 2
  AND (agent_hash % 8 != 0 OR slot NOT BETWEEN away_from_slot AND away_from_slot + away_slots)
ORDER BY organisation_id, toDate(slot_s), agent_key, slot`;
}
