import type { RowsToInsert } from '../../results/store/rows-to-insert.ts';

/** Rows of several blocks as one, so that they are one insert. */
export function joinRows(blocks: readonly RowsToInsert[]): RowsToInsert {
  const [only, second] = blocks;
  if (only !== undefined && second === undefined) return only;
  const total = (count: (rows: RowsToInsert) => number) =>
    blocks.reduce((sum, block) => sum + count(block), 0);
  const rowCount = total((block) => block.rowCount);
  const starts = new Uint32Array(rowCount);
  let [row, offset] = [0, 0];
  for (const block of blocks) {
    for (const start of block.starts) starts[row++] = offset + start;
    offset += block.bytes.length;
  }
  return {
    bytes: Buffer.concat(blocks.map(({ bytes }) => bytes)),
    starts,
    rowCount,
    duplicates: {
      identical: total(({ duplicates }) => duplicates.identical),
      different: total(({ duplicates }) => duplicates.different),
    },
  };
}
