import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import type { ConfidenceLevel } from '../state/view-state.ts';

/** Half of the confidence interval: with households as the sample if the request asked for it. */
export function halfWidth(point: AggregatedPoint, level: ConfidenceLevel): number | null {
  const name = `ciHousehold${level}`;
  // Null with fewer than two households: there is no interval then.
  const ofHouseholds = (point as unknown as Readonly<Record<string, number | null>>)[name];
  return ofHouseholds === undefined ? point[`ci${level}`] : ofHouseholds;
}
