import type { Knex } from 'knex';
import { legacyModel, phoneOf } from './sample-devices.ts';
import { sampleDice } from './sample-dice.ts';
import { sampleAgents } from './sample-households.ts';
import { sampleLine } from './sample-packages.ts';
import { nearestServer } from './sample-places.ts';
import { sampleDays, type SampleRange } from './sample-range.ts';
import type { OrganisationIds } from './store-sample-households.ts';

/** A row of sample_lines: an agent and the line it was on for a stretch of hours. */
export type SampleLineRow = Readonly<Record<string, string | number | null>>;

/**
 * The lines of the sample's agents over the range, as Postgres has them now: a package that a user
 * changed shows in the results generated afterwards.
 */
export async function readSampleLines(
  database: Knex,
  organisationIds: OrganisationIds,
  range: SampleRange,
  seed: number,
): Promise<readonly SampleLineRow[]> {
  const sampleIds = new Set(sampleAgents().map(({ agentId }) => agentId));
  const stretches = await readStretches(database, Object.values(organisationIds));
  return [...byAgent(stretches.filter(({ agent_id }) => sampleIds.has(agent_id)))].flatMap((own) =>
    linesOf(own, range, seed),
  );
}

interface Stretch {
  readonly organisation_id: number;
  readonly agent_key: number;
  readonly agent_id: string;
  readonly unit_id: number | null;
  readonly kind: string;
  readonly base: string;
  readonly country: string | null;
  readonly isp: string | null;
  readonly package: string | null;
  readonly timezone: string | null;
  /** Infinite where it is open, and on both sides of an agent without metadata. */
  readonly from_s: number;
  readonly to_s: number;
}

async function readStretches(
  database: Knex,
  organisationIds: readonly number[],
): Promise<readonly Stretch[]> {
  const { rows } = await database.raw<{ rows: Stretch[] }>(
    `select a.organisation_id, a.id as agent_key, a.agent_id, a.unit_id, a.kind, a.base, a.country,
            i.name as isp, p.name as package, m.timezone,
            extract(epoch from coalesce(lower(m.valid), '-infinity'))::float8 as from_s,
            extract(epoch from coalesce(upper(m.valid), 'infinity'))::float8 as to_s
     from agents a
       left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
       left join isps i on i.id = m.isp_id
       left join packages p on p.id = m.package_id
     where a.organisation_id = any(?)
     order by a.organisation_id, a.id, lower(m.valid) nulls first`,
    [[...organisationIds]],
  );
  return rows;
}

function byAgent(stretches: readonly Stretch[]): Iterable<readonly Stretch[]> {
  const groups = new Map<number, Stretch[]>();
  for (const stretch of stretches) {
    const group = groups.get(stretch.agent_key);
    if (group === undefined) groups.set(stretch.agent_key, [stretch]);
    else group.push(stretch);
  }
  return groups.values();
}

function linesOf(stretches: readonly Stretch[], range: SampleRange, seed: number): SampleLineRow[] {
  const [first] = stretches;
  if (first === undefined) return [];
  // Agents do not all test at the same minute of the hour; the last ten minutes stay free, so that
  // the tests that follow each other in a slot end within it.
  const offsetS = sampleDice(seed, `${first.agent_id}/offset`, 3000);
  const hours = sampleDays * 24;
  const slotAt = (atS: number) =>
    Math.min(
      Math.max(Math.ceil((atS - range.startsAt.getTime() / 1000 - offsetS) / 3600), 0),
      hours,
    );

  const rows: SampleLineRow[] = [];
  let nextSlot = 0;
  const nothingKnown = { ...first, isp: null, package: null, timezone: null };
  const append = (stretch: Stretch, endSlot: number) => {
    if (endSlot > nextSlot) rows.push(lineRow(stretch, offsetS, nextSlot, endSlot));
    nextSlot = Math.max(nextSlot, endSlot);
  };
  for (const stretch of stretches) {
    append(nothingKnown, slotAt(stretch.from_s));
    append(stretch, slotAt(stretch.to_s));
  }
  append(nothingKnown, hours);
  return rows;
}

function lineRow(
  stretch: Stretch,
  offsetS: number,
  firstSlot: number,
  endSlot: number,
): SampleLineRow {
  const line = sampleLine(stretch.isp, stretch.package);
  const phone = phoneOf(stretch.base);
  return {
    organisation_id: stretch.organisation_id,
    agent_key: stretch.agent_key,
    agent_id: stretch.agent_id,
    unit_id: stretch.unit_id,
    kind: stretch.kind,
    base: stretch.base,
    is_legacy: stretch.base === legacyModel ? 1 : 0,
    country: stretch.country ?? '',
    near_server: nearestServer(stretch.country),
    carrier: stretch.isp ?? 'Unknown',
    manufacturer: phone.manufacturer,
    operating_system: phone.operatingSystem,
    operating_system_version: phone.operatingSystemVersion,
    timezone: stretch.timezone ?? 'UTC',
    line_down: line.downMbps * 125_000,
    line_up: line.upMbps * 125_000,
    peak_loss: line.peakLoss,
    line_rtt_us: line.rttMs * 1000,
    offset_s: offsetS,
    first_slot: firstSlot,
    end_slot: endSlot,
  };
}
