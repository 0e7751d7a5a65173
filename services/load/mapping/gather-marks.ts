import { maskableColumns, maskedColumn, maskedSides } from '../../catalog/masked.ts';
import { type Evaluate, RefusedCell } from './evaluate-expression.ts';

export interface ParsedColumn extends MappedColumn {
  readonly evaluate: Evaluate;
}

export interface MappedColumn {
  readonly name: string;
  /** As written: `download_mbps*125000`. */
  readonly expression: string;
  /** The columns of the file that it reads. */
  readonly reads: readonly string[];
}

/** The columns of marks: `download_mean_masked` is above or below if the value of download_mean is only a bound. */
export const markColumns: readonly string[] = maskableColumns.map((column) => `${column}_masked`);

/** Puts marks together into the column `masked`: `busy_download_mean:above download_mean:above`. */
export function gatherMarks(targets: readonly ParsedColumn[]): readonly ParsedColumn[] {
  const marks = targets.filter(({ name }) => markColumns.includes(name));
  if (marks.length === 0) return targets;
  const others = targets.filter(
    (target) => !marks.includes(target) && target.name !== maskedColumn,
  );
  const gathered: ParsedColumn = {
    name: maskedColumn,
    expression: marks.map(({ name }) => name).join(' '),
    reads: [...new Set(marks.flatMap(({ reads }) => reads))],
    evaluate: (row) => {
      const words = marks.flatMap((mark) => {
        const written = mark.evaluate(row).trim();
        const side = written.toLowerCase();
        if (side === '') return [];
        if (!maskedSides.some((known) => known === side)) {
          const [column = ''] = mark.reads;
          throw new RefusedCell(`${mark.name} must be above, below or blank`, column, written);
        }
        return [`${mark.name.replace(/_masked$/, '')}:${side}`];
      });
      return words.sort().join(' ');
    },
  };
  return [...others, gathered];
}
