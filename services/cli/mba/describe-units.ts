import { excludedMetricsKey } from '../../catalog/excluded-metrics.ts';
import type { AgentRecord } from '../../registry/agent-record.ts';
import { metricsByPrefix } from './exclusion-list.ts';
import type { UnitProfile } from './read-unit-profile.ts';

/** Lines about units whose results are left out or have no local time, and about marks without a meaning. */
export function describeUnits({
  records,
  excludedUnits,
  unknownMarks,
}: UnitProfile): readonly string[] {
  const isExcluded = ({ unitId }: AgentRecord) => unitId !== null && excludedUnits.has(unitId);
  const withoutZone = records.filter((unit) => unit.timezone === null && !isExcluded(unit));
  return [
    ...listed(records.filter(isExcluded), 'are excluded by the FCC'),
    ...listed(
      records.filter(({ custom }) => (custom[excludedMetricsKey] ?? null) !== null),
      'are excluded from some metrics',
    ),
    ...[...unknownMarks].map(
      ([title, marks]) =>
        `${marks} marks in the column ${title} exclude nothing, because its metrics are unknown. ` +
        `Known columns begin with ${Object.keys(metricsByPrefix)
          .map((prefix) => `ISP_${prefix}`)
          .join(', ')}`,
    ),
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
