import { sampleIsps, type SampleIsp } from './sample-packages.ts';

export interface SamplePlace {
  readonly country: string;
  readonly timezone: string;
  /** The nearest test server. */
  readonly server: string;
  readonly isps: readonly SampleIsp[];
}

const { northwave, harbour, sagarmatha, southern, andes, cedar } = sampleIsps;

/**
 * Time zones with half and quarter hours, and in both hemispheres, so that any 60 days probably contain a
 * daylight-saving change: in November in London and New York, in April in Sydney.
 */
export const samplePlaces = {
  london: place('GB', 'Europe/London', 'lon1.measure.example', [northwave]),
  newYork: place('US', 'America/New_York', 'nyc1.measure.example', [harbour]),
  kolkata: place('IN', 'Asia/Kolkata', 'ccu1.measure.example', [sagarmatha]),
  berlin: place('DE', 'Europe/Berlin', 'ber1.measure.example', [northwave]),
  kathmandu: place('NP', 'Asia/Kathmandu', 'ktm1.measure.example', [sagarmatha]),
  stJohns: place('CA', 'America/St_Johns', 'yyt1.measure.example', [harbour]),
  sydney: place('AU', 'Australia/Sydney', 'syd1.measure.example', [southern]),
  auckland: place('NZ', 'Pacific/Auckland', 'akl1.measure.example', [southern]),
  santiago: place('CL', 'America/Santiago', 'scl1.measure.example', [andes]),
  beirut: place('LB', 'Asia/Beirut', 'bey1.measure.example', [cedar]),
} as const satisfies Record<string, SamplePlace>;

/** The test server of a country; default: London. */
export function nearestServer(country: string | null): string {
  const there = Object.values(samplePlaces).find((candidate) => candidate.country === country);
  return (there ?? samplePlaces.london).server;
}

function place(
  country: string,
  timezone: string,
  server: string,
  isps: readonly SampleIsp[],
): SamplePlace {
  return { country, timezone, server, isps };
}
