import { testTable } from './test-tables.ts';

/** The column of the test `panel` that lists values which the publisher masks: they are only bounds, or blank. */
export const maskedColumn = 'masked';

export const maskedSides = ['above', 'below'] as const;

type MaskedSide = (typeof maskedSides)[number];

/** The columns of the test `panel` whose values may be masked. */
export const maskableColumns: readonly string[] = testTable('panel').columns.filter(
  (column) => column !== 'period_end' && column !== maskedColumn,
);

/** SQL: whether the true value of a column is above its bound, or below it. */
export function isMasked(column: string, side: MaskedSide): string {
  return `has(splitByChar(' ', ${maskedColumn}), '${column}:${side}')`;
}

/** `busy_download_mean:above download_mean:above`: each column at most once. */
export function isMaskedText(text: string): boolean {
  if (text === '') return true;
  const words = text.split(' ').map((word) => word.split(':'));
  const columns = words.map(([column = '']) => column);
  return (
    new Set(columns).size === words.length &&
    words.every(
      ([column = '', side, ...more]) =>
        more.length === 0 &&
        maskableColumns.includes(column) &&
        maskedSides.some((known) => known === side),
    )
  );
}
