import { utcOffsetMs } from '../../shared/timezones.ts';

/**
 * The IANA time zone of a US household, from its state and the UTC offsets in its unit profile.
 * Offsets choose between the zones of a split state. Elsewhere the state alone decides: profiles of
 * 2021 wrongly give -5 and -4 to units in Arizona and California.
 */
export function usTimezone(
  state: string,
  offsetH: number | undefined,
  dstOffsetH: number | undefined,
): string | null {
  const candidates = zonesOfState[state] ?? zonesByOffset;
  const standard = candidates.filter((zone) => offsetOf(zone, winter) === offsetH);
  const exact = standard.find((zone) => offsetOf(zone, summer) === dstOffsetH);
  const fallback = state in zonesOfState ? candidates[0] : undefined;
  return exact ?? standard[0] ?? fallback ?? null;
}

const [winter, summer] = [Date.UTC(2021, 0), Date.UTC(2021, 6)];

/** Hours from UTC. */
function offsetOf(zone: string, ms: number): number {
  return utcOffsetMs(zone, ms) / 3_600_000;
}

const atlantic = 'America/Puerto_Rico';
const eastern = 'America/New_York';
const central = 'America/Chicago';
const mountain = 'America/Denver';
const boise = 'America/Boise';
const arizona = 'America/Phoenix';
const pacific = 'America/Los_Angeles';
const alaska = 'America/Anchorage';
const aleutian = 'America/Adak';
const hawaii = 'Pacific/Honolulu';
const guam = 'Pacific/Guam';
const samoa = 'Pacific/Pago_Pago';

/** The zone of most of a state's population comes first. */
const zonesOfState: Readonly<Record<string, readonly string[]>> = {
  ...inZones([eastern], 'CT DE DC GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
  ...inZones([central], 'AL AR IA IL LA MN MO MS OK WI'),
  ...inZones([mountain], 'CO MT NM UT WY'),
  ...inZones([pacific], 'CA WA'),
  // States with two time zones.
  ...inZones([eastern, central], 'FL'),
  ...inZones([central, eastern], 'TN'),
  ...inZones([central, mountain], 'KS ND NE SD TX'),
  ...inZones(['America/Detroit', central], 'MI'),
  ...inZones(['America/Indiana/Indianapolis', central], 'IN'),
  ...inZones(['America/Kentucky/Louisville', central], 'KY'),
  ...inZones([boise, pacific], 'ID'),
  ...inZones([pacific, boise], 'OR'),
  ...inZones([pacific, mountain], 'NV'),
  // The Navajo Nation observes daylight-saving time, the rest of Arizona does not.
  ...inZones([arizona, mountain], 'AZ'),
  ...inZones([alaska, aleutian], 'AK'),
  ...inZones([hawaii], 'HI'),
  ...inZones([atlantic], 'PR VI'),
  ...inZones([guam], 'GU MP'),
  ...inZones([samoa], 'AS'),
};

/** For a profile without a state. */
const zonesByOffset = [
  eastern,
  central,
  mountain,
  arizona,
  pacific,
  alaska,
  hawaii,
  aleutian,
  atlantic,
  guam,
  samoa,
];

function inZones(zones: readonly string[], states: string): Record<string, readonly string[]> {
  return Object.fromEntries(states.split(' ').map((state) => [state, zones]));
}
