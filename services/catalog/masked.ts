/**
 * The column of the test `panel` that names its masked values: `download_mean:above` says that the value is at least
 * `download_mean`, or unknown and high if that is NULL. Words are separated by spaces.
 */
export const maskedColumn = 'masked';

export type MaskedSide = 'above' | 'below';

/** SQL of whether a value column is masked on a side. */
export function isMasked(column: string, side: MaskedSide): string {
  return `has(splitByChar(' ', ${maskedColumn}), '${column}:${side}')`;
}
