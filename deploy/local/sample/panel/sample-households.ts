import { createHash } from 'node:crypto';
import { deviceModels, type AgentKind } from './sample-devices.ts';
import { pickBySeed, seededInteger } from './seeded-integer.ts';
import type { HouseholdChange, HouseholdFacts } from './sample-history.ts';
import { sampleIsps, type SampleIsp } from './sample-packages.ts';
import { samplePlaces, type SamplePlace } from './sample-places.ts';
import { daysIn, type SampleRange } from './sample-range.ts';
import { specialHouseholds, type SpecialHousehold } from './special-households.ts';

export type SampleOrganisation = 'demo' | 'other';

export interface SampleHousehold {
  readonly organisation: SampleOrganisation;
  readonly agentId: string;
  readonly unitId: number | null;
  readonly macAddress: string | null;
  readonly kind: AgentKind;
  readonly base: string;
  readonly country: string;
  /** null: no metadata. */
  readonly facts: HouseholdFacts | null;
  readonly changes: readonly HouseholdChange[];
}

/** Every household of the panel. Only the agent_id is independent of the seed. */
export function sampleHouseholds(seed: number, range: SampleRange): readonly SampleHousehold[] {
  const specials = specialHouseholds(range);
  return sampleAgents().map((agent) => {
    const special = agent.organisation === 'demo' ? specials[agent.label] : undefined;
    return household(seed, range, agent, special ?? {});
  });
}

interface SampleAgent {
  readonly organisation: SampleOrganisation;
  readonly kind: AgentKind;
  /** `wb-0001`; not unique: both organisations have one. */
  readonly label: string;
  readonly agentId: string;
  readonly unitId: number | null;
}

const agentCounts: Readonly<Record<SampleOrganisation, Readonly<Record<AgentKind, number>>>> = {
  demo: { whitebox: 104, cpe: 36, mobile: 60, web: 20 },
  other: { whitebox: 22, cpe: 8, mobile: 14, web: 6 },
};
const agentIdPrefixes = { whitebox: 'wb', cpe: 'cpe', mobile: 'mob', web: 'web' } as const;
const firstUnitIds = { whitebox: 100_001, cpe: 200_001, web: 300_001 } as const;

export function sampleAgents(): readonly SampleAgent[] {
  return (['demo', 'other'] as const).flatMap((organisation) =>
    (['whitebox', 'cpe', 'mobile', 'web'] as const).flatMap((kind) =>
      Array.from({ length: agentCounts[organisation][kind] }, (_, i) => {
        const label = `${agentIdPrefixes[kind]}-${String(i + 1).padStart(4, '0')}`;
        const agentId = `${label}-${hexOf(`${organisation}/${label}`, 6)}`;
        const unitId = kind === 'mobile' ? null : firstUnitIds[kind] + i;
        return { organisation, kind, label, agentId, unitId };
      }),
    ),
  );
}

function household(
  seed: number,
  range: SampleRange,
  agent: SampleAgent,
  special: SpecialHousehold,
): SampleHousehold {
  const { organisation, agentId, unitId, kind } = agent;
  const places: readonly SamplePlace[] = Object.values(samplePlaces);
  const place = special.place ?? pickBySeed(seed, `${agentId}/place`, places);
  const isp = pickBySeed(seed, `${agentId}/isp`, ispsFor(agent, place));
  const packageName = pickBySeed(seed, `${agentId}/package`, Object.keys(isp.packages));
  const facts: HouseholdFacts = {
    isp: special.isp ?? isp.name,
    packageName: special.packageName === undefined ? packageName : special.packageName,
    timezone: place.timezone,
    custom: special.custom ?? customFields(seed, agent),
  };
  return {
    organisation,
    agentId,
    unitId,
    macAddress: macAddress(agent),
    kind,
    base: special.base ?? pickBySeed(seed, `${agentId}/base`, deviceModels[kind]),
    country: place.country,
    facts: special.withoutMetadata === true ? null : facts,
    changes: special.changes ?? ordinaryChanges(seed, range, agent, isp, facts),
  };
}

function ispsFor({ organisation, kind }: SampleAgent, place: SamplePlace): readonly SampleIsp[] {
  if (kind === 'mobile') return [sampleIsps.breeze];
  // Both organisations have an ISP Northwave, with different ids.
  return organisation === 'demo' ? place.isps : [sampleIsps.otherline, sampleIsps.northwave];
}

function customFields(seed: number, agent: SampleAgent): Readonly<Record<string, string | number>> {
  const { agentId, organisation } = agent;
  if (organisation === 'other')
    return { cohort: pickBySeed(seed, `${agentId}/cohort`, ['a', 'b']) };
  if (seededInteger(seed, `${agentId}/custom`, 10) < 3) return {};
  return {
    tier: pickBySeed(seed, `${agentId}/tier`, ['gold', 'silver', 'bronze']),
    floor: seededInteger(seed, `${agentId}/floor`, 12),
    region: pickBySeed(seed, `${agentId}/region`, ['north', 'south', 'east', 'west']),
  };
}

/** One household in fifteen changes to another package of its ISP on some day in the range. */
function ordinaryChanges(
  seed: number,
  range: SampleRange,
  { agentId }: SampleAgent,
  isp: SampleIsp,
  facts: HouseholdFacts,
): readonly HouseholdChange[] {
  const others = Object.keys(isp.packages).filter((name) => name !== facts.packageName);
  if (seededInteger(seed, `${agentId}/changes`, 15) !== 0) return [];
  const packageName = pickBySeed(seed, `${agentId}/next package`, others);
  const changedAt = daysIn(range, 5 + seededInteger(seed, `${agentId}/day`, 50));
  return [{ validFrom: changedAt, recordedAt: changedAt, facts: { packageName } }];
}

// In the usual spellings: 02:AB:…, 02-ab-…, 02ab.cdef.… and without punctuation.
function macAddress({ kind, agentId }: SampleAgent): string | null {
  if (kind === 'mobile' || kind === 'web') return null;
  const digits = `02${hexOf(`mac/${agentId}`, 10)}`;
  const pairs = digits.match(/../g) ?? [];
  const spellings = [
    pairs.join(':').toUpperCase(),
    pairs.join('-'),
    (digits.match(/..../g) ?? []).join('.'),
    digits.toUpperCase(),
  ];
  return pickBySeed(0, `${agentId}/mac form`, spellings);
}

function hexOf(label: string, length: number): string {
  return createHash('sha256').update(label).digest('hex').slice(0, length);
}
