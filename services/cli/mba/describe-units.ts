import type { AgentRecord } from '../../registry/agent-record.ts';
import type { UnitProfile } from './read-unit-profile.ts';

/** Lines about units whose results are left out or have no local time. */
export function describeUnits({ records, excludedUnits }: UnitProfile): readonly string[] {
  const isExcluded = ({ unitId }: AgentRecord) => unitId !== null && excludedUnits.has(unitId);
  const withoutZone = records.filter((unit) => unit.timezone === null && !isExcluded(unit));
  return [
    ...listed(records.filter(isExcluded), 'are excluded by the FCC'),
    ...listed(withoutZone, 'have no usable time zone: their local time is UTC'),
  ];
}

function listed(units: readonly AgentRecord[], what: string): readonly string[] {
  if (units.length === 0) return [];
  const first = units.slice(0, shownUnits).map(({ unitId }) => unitId);
  const more = units.length > shownUnits ? ' …' : '';
  return [`${units.length} units ${what}: ${first.join(', ')}${more}`];
}

const shownUnits = 5;
