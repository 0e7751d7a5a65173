import { legacyModel } from './sample-devices.ts';
import type { HouseholdChange } from './sample-history.ts';
import { samplePlaces, type SamplePlace } from './sample-places.ts';
import { daysIn, type SampleRange } from './sample-range.ts';

/** Fixed values of a household instead of generated ones. */
export interface SpecialHousehold {
  readonly place?: SamplePlace;
  readonly isp?: string;
  /** null: the ISP is known and the package is not. */
  readonly packageName?: string | null;
  readonly base?: string;
  readonly custom?: Readonly<Record<string, string | number>>;
  readonly changes?: readonly HouseholdChange[];
  /** The household has no metadata. */
  readonly withoutMetadata?: true;
}

/** The special households of `demo`, by the start of their agent_id. */
export function specialHouseholds(range: SampleRange): Readonly<Record<string, SpecialHousehold>> {
  const { london, newYork } = samplePlaces;
  const inLondon = { place: london, isp: 'Northwave', packageName: 'Fibre 100' };
  const onDay = (
    day: number,
    facts: HouseholdChange['facts'],
    recordedOnDay = day,
  ): readonly HouseholdChange[] => [
    { validFrom: daysIn(range, day), recordedAt: daysIn(range, recordedOnDay), facts },
  ];
  return {
    [changesPackage]: { ...inLondon, changes: onDay(30, { packageName: 'Fibre 1000' }) },
    [changesIsp]: {
      place: newYork,
      isp: 'Harbour Cable',
      packageName: 'Cable 300',
      changes: onDay(35.5, { isp: 'Northwave', packageName: 'Fibre 500' }),
    },
    [movesToBerlin]: { ...inLondon, changes: onDay(25, { timezone: 'Europe/Berlin' }) },
    // Valid from day 33, recorded on day 45: twelve days of results change their package.
    [changeIsBackdated]: { ...inLondon, changes: onDay(33, { packageName: 'Fibre 500' }, 45) },
    'wb-0019': { withoutMetadata: true },
    'wb-0020': { withoutMetadata: true },
    'wb-0021': { withoutMetadata: true },
    'wb-0022': { withoutMetadata: true },
    'wb-0023': { ...inLondon, packageName: null },
    // A custom field named like a standard field; queries need `custom.country`.
    'wb-0027': { custom: { country: 'Cornwall', tier: 'gold', floor: 2 } },
    'wb-0031': { custom: { country: 'Kent', tier: 'silver', floor: -1 } },
    'wb-0041': { ...inLondon, base: legacyModel },
    'wb-0042': { ...inLondon, base: legacyModel },
  };
}

export const changesPackage = 'wb-0003';
const changesIsp = 'wb-0007';
const movesToBerlin = 'wb-0011';
export const changeIsBackdated = 'wb-0015';
