import type { Field } from '../../catalog/field.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { MetricQuery } from './metric-query.ts';

/**
 * Throws a PRIVACY_FLOOR if the query asks for single households. `floor`: of the caller; 0: none. `part`: of the request
 * that has the filters.
 */
export function requireFloor(
  floor: number,
  { chartType, splits, filters }: Pick<MetricQuery, 'chartType' | 'splits' | 'filters'>,
  part?: string,
): void {
  if (floor === 0) return;
  if (chartType === 'raw') {
    throw belowFloor(floor, 'It reads no raw data: send "chartType": "aggregate".');
  }
  const filtersOf = part === undefined ? 'filters' : `${part}[filters]`;
  const fields = [
    ...splits.map((field, i) => ({ field, path: `splits[${i}]` })),
    ...filters.map(({ field }, i) => ({ field, path: `${filtersOf}[${i}][id]` })),
  ];
  for (const { field, path } of fields) requireFloorOfField(floor, field, path);
}

/** `path`: of the field in the request. */
export function requireFloorOfField(floor: number, field: Field, path: string): void {
  if (floor === 0 || field.identifiesHousehold !== true) return;
  throw belowFloor(floor, `${path} must not be ${field.name}, which identifies one household.`);
}

/** Rows of tests are of single households. */
export function requireNoFloor(floor: number): void {
  if (floor > 0) throw belowFloor(floor, 'It reads no raw data: use /metric_data.');
}

/** An export that was made with a smaller floor, or with none, has points of fewer agents. */
export function requireFloorOfExport(floor: number, floorOfExport: number | null): void {
  if (floor === 0 || (floorOfExport ?? 0) >= floor) return;
  throw belowFloor(floor, 'The export was made with a smaller minimum: make a new one.');
}

/** A view that was saved with a smaller floor, or with none, can have ids of agents in its filters. */
export function requireFloorOfView(floor: number, floorOfView: number): void {
  if (floor === 0 || floorOfView >= floor) return;
  throw belowFloor(floor, 'The view was saved with a smaller minimum: save a new one.');
}

function belowFloor(floor: number, rule: string): AppError {
  return new AppError('PRIVACY_FLOOR', {
    publicMessage: `This token reads only points of at least ${floor} agents. ${rule}`,
  });
}
