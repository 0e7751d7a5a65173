import type { ProfileRow } from './profile-columns.ts';

/**
 * The custom field `status` of a unit. `REMOVE`: so marked in any column of the profile. `excluded`: so marked, or in
 * the list of excluded units. Otherwise the profile's own column `Status`, and `included` without one, so that
 * a unit which was excluded in an earlier release is no longer.
 */
export function unitStatus(row: ProfileRow, isListed: boolean): string {
  const { excluded = '', exclusionReason = '', status = '' } = row;
  // `Removed: moved house` has that meaning in the column of the status only.
  const mark = [...Object.values(row).filter(isMark), status].find((cell) =>
    /^(remov|exclud)/i.test(cell),
  );
  if (mark !== undefined) return /^remov/i.test(mark) ? 'REMOVE' : 'excluded';
  if (isListed || /^(yes|y|true|1|x)$/i.test(excluded) || exclusionReason !== '') return 'excluded';
  return status === '' ? 'included' : status;
}

/** Whether the FCC leaves out the results of units with this status. */
export function isExcludedStatus(status: unknown): boolean {
  return status === 'REMOVE' || status === 'excluded';
}

/** A cell that marks a unit, and has no other meaning: `REMOVE` in the column of the ISP. */
export function isMark(cell: string): boolean {
  return /^(removed?|excluded?)$/i.test(cell);
}
