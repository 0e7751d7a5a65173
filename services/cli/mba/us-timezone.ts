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
  const exact = candidates.find((zone) => hasOffsets(zone, offsetH, dstOffsetH));
  const standard = candidates.find((zone) => zoneOffsetsH[zone][0] === offsetH);
  const fallback = state in zonesOfState ? candidates[0] : undefined;
  const zone = exact ?? standard ?? fallback;
  return zone === undefined ? null : ianaNames[zone];
}

type Zone = keyof typeof ianaNames;

const ianaNames = {
  atlantic: 'America/Puerto_Rico',
  eastern: 'America/New_York',
  detroit: 'America/Detroit',
  indiana: 'America/Indiana/Indianapolis',
  louisville: 'America/Kentucky/Louisville',
  central: 'America/Chicago',
  mountain: 'America/Denver',
  boise: 'America/Boise',
  arizona: 'America/Phoenix',
  pacific: 'America/Los_Angeles',
  alaska: 'America/Anchorage',
  aleutian: 'America/Adak',
  hawaii: 'Pacific/Honolulu',
  guam: 'Pacific/Guam',
  samoa: 'Pacific/Pago_Pago',
} as const;

/** Hours from UTC in winter and in summer. */
const zoneOffsetsH: Readonly<Record<Zone, readonly [number, number]>> = {
  atlantic: [-4, -4],
  eastern: [-5, -4],
  detroit: [-5, -4],
  indiana: [-5, -4],
  louisville: [-5, -4],
  central: [-6, -5],
  mountain: [-7, -6],
  boise: [-7, -6],
  arizona: [-7, -7],
  pacific: [-8, -7],
  alaska: [-9, -8],
  aleutian: [-10, -9],
  hawaii: [-10, -10],
  guam: [10, 10],
  samoa: [-11, -11],
};

/** The zone of most of a state's population comes first. */
const zonesOfState: Readonly<Record<string, readonly Zone[]>> = {
  ...inZones(['eastern'], 'CT DE DC GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
  ...inZones(['central'], 'AL AR IA IL LA MN MO MS OK WI'),
  ...inZones(['mountain'], 'CO MT NM UT WY'),
  ...inZones(['pacific'], 'CA WA'),
  // States with two time zones.
  ...inZones(['eastern', 'central'], 'FL'),
  ...inZones(['central', 'eastern'], 'TN'),
  ...inZones(['central', 'mountain'], 'KS ND NE SD TX'),
  ...inZones(['detroit', 'central'], 'MI'),
  ...inZones(['indiana', 'central'], 'IN'),
  ...inZones(['louisville', 'central'], 'KY'),
  ...inZones(['boise', 'pacific'], 'ID'),
  ...inZones(['pacific', 'boise'], 'OR'),
  ...inZones(['pacific', 'mountain'], 'NV'),
  // The Navajo Nation observes daylight-saving time, the rest of Arizona does not.
  ...inZones(['arizona', 'mountain'], 'AZ'),
  ...inZones(['alaska', 'aleutian'], 'AK'),
  ...inZones(['hawaii'], 'HI'),
  ...inZones(['atlantic'], 'PR VI'),
  ...inZones(['guam'], 'GU MP'),
  ...inZones(['samoa'], 'AS'),
};

/** For a profile without a state. */
const zonesByOffset: readonly Zone[] = [
  'eastern',
  'central',
  'mountain',
  'arizona',
  'pacific',
  'alaska',
  'hawaii',
  'aleutian',
  'atlantic',
  'guam',
  'samoa',
];

function inZones(zones: readonly Zone[], states: string): Record<string, readonly Zone[]> {
  return Object.fromEntries(states.split(' ').map((state) => [state, zones]));
}

function hasOffsets(
  zone: Zone,
  offsetH: number | undefined,
  dstOffsetH: number | undefined,
): boolean {
  const [winter, summer] = zoneOffsetsH[zone];
  return winter === offsetH && summer === dstOffsetH;
}
