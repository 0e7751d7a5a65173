import type { Knex } from 'knex';
import { legacyModel, phoneOf } from './sample-devices.ts';
import { seededInteger } from './seeded-integer.ts';
import { sampleAgents } from './sample-households.ts';
import { sampleLine } from './sample-packages.ts';
import { nearestServer } from './sample-places.ts';
import { sampleDays, type SampleRange } from './sample-range.ts';
import type { OrganisationIds } from './store-sample-households.ts';

/** A row of sample_lines: an agent and its broadband line during a period. */
export type SampleLineRow = Readonly<Record<string, string | number | null>>;

/**
 * The lines of the sample agents over the range, from the current metadata in Postgres. So results
 * generated later follow changes by a user.
 */
export async function readSampleLines(
  database: Knex,
  organisationIds: OrganisationIds,
  range: SampleRange,
  seed: number,
): Promise<readonly SampleLineRow[]> {
  const sampleIds = new Set(sampleAgents().map(({ agentId }) => agentId));
  const periods = await readPeriods(database, Object.values(organisationIds));
  return [...byAgent(periods.filter(({ agent_id }) => sampleIds.has(agent_id)))].flatMap((own) =>
    linesOf(own, range, seed),
  );
}

interface Period {
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
  /** Infinite for an open end, and at both ends for an agent without metadata. */
  readonly from_s: number;
  readonly to_s: number;
}

async function readPeriods(
  database: Knex,
  organisationIds: readonly number[],
): Promise<readonly Period[]> {
  const { rows } = await database.raw<{ rows: Period[] }>(
    `select a.organisation_id, a.id as agent_key, a.agent_id, a.unit_id, a.kind, a.base, a.country,
            i.name as isp, p.name as package, m.timezone,
            extract(epoch from coalesce(lower(m.valid), '-infinity'))::float8 as from_s,
            extract(epoch from coalesce(upper(m.valid), 'infinity'))::float8 as to_s
     from agents a
       left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
       left join isps i on i.id = m.isp_id
       left join packages p on p.id = m.package_id
     where a.organisation_id = any(?)
       -- An agent whose erasure is still running.
       and erased_at(a.organisation_id, a.agent_id_normalised, a.unit_id::text,
                     a.mac_address_normalised) is null
     order by a.organisation_id, a.id, lower(m.valid) nulls first`,
    [[...organisationIds]],
  );
  return rows;
}

function byAgent(periods: readonly Period[]): Iterable<readonly Period[]> {
  const groups = new Map<number, Period[]>();
  for (const period of periods) {
    const group = groups.get(period.agent_key);
    if (group === undefined) groups.set(period.agent_key, [period]);
    else group.push(period);
  }
  return groups.values();
}

function linesOf(periods: readonly Period[], range: SampleRange, seed: number): SampleLineRow[] {
  const [first] = periods;
  if (first === undefined) return [];
  // Agents run their tests at different minutes. The last ten minutes of the hour stay free, so that all
  // tests of a slot end in it.
  const offsetS = seededInteger(seed, `${first.agent_id}/offset`, 3000);
  const hours = sampleDays * 24;
  const slotAt = (atS: number) =>
    Math.min(
      Math.max(Math.ceil((atS - range.startsAt.getTime() / 1000 - offsetS) / 3600), 0),
      hours,
    );

  const rows: SampleLineRow[] = [];
  let nextSlot = 0;
  const unknownLine = { ...first, isp: null, package: null, timezone: null };
  const append = (period: Period, endSlot: number) => {
    if (endSlot > nextSlot) rows.push(lineRow(period, offsetS, nextSlot, endSlot));
    nextSlot = Math.max(nextSlot, endSlot);
  };
  for (const period of periods) {
    append(unknownLine, slotAt(period.from_s));
    append(period, slotAt(period.to_s));
  }
  append(unknownLine, hours);
  return rows;
}

function lineRow(
  period: Period,
  offsetS: number,
  firstSlot: number,
  endSlot: number,
): SampleLineRow {
  const line = sampleLine(period.isp, period.package);
  const phone = phoneOf(period.base);
  return {
    organisation_id: period.organisation_id,
    agent_key: period.agent_key,
    agent_id: period.agent_id,
    unit_id: period.unit_id,
    kind: period.kind,
    base: period.base,
    is_legacy: period.base === legacyModel ? 1 : 0,
    country: period.country ?? '',
    near_server: nearestServer(period.country),
    carrier: period.isp ?? 'Unknown',
    manufacturer: phone.manufacturer,
    operating_system: phone.operatingSystem,
    operating_system_version: phone.operatingSystemVersion,
    timezone: period.timezone ?? 'UTC',
    line_down: line.downMbps * 125_000,
    line_up: line.upMbps * 125_000,
    peak_loss: line.peakLoss,
    line_rtt_us: line.rttMs * 1000,
    offset_s: offsetS,
    first_slot: firstSlot,
    end_slot: endSlot,
  };
}
