import { columnsOf, type EvaluatedRow, type Expression } from './expression.ts';
import { MappingError, UnknownColumnError } from '../mapping-error.ts';
import { CellError, evaluateExpression, RefusedCell } from './evaluate-expression.ts';
import { gatherMarks, type MappedColumn, type ParsedColumn } from './gather-marks.ts';
import { type LookupTables, parseExpression } from './parse-expression.ts';
import { SourceColumns } from './source-columns.ts';

/** The expressions of target columns, and the tables that they use. */
export interface Mapping {
  readonly columns: Readonly<Record<string, string>>;
  readonly values?: LookupTables;
  /** Cells that count as blank: `#NULL!`. */
  readonly blank?: readonly string[];
}

export interface CompiledMapping {
  readonly targets: readonly MappedColumn[];
  /** The columns of the file, and those that further rows may have. */
  readonly sourceColumns: readonly string[];
  /** Those that an expression reads. */
  readonly readColumns: readonly string[];
  /** Columns of the file that no expression reads. */
  readonly unusedColumns: readonly string[];
  /**
   * The values of the target columns, in their order, for a row whose cells are in the order of the
   * source columns. Throws a CellError.
   */
  readonly apply: (row: EvaluatedRow) => readonly string[];
}

/**
 * Compiles a mapping for a file with these columns. Throws a MappingError with every problem. `isOpen`:
 * rows may have further columns, which optional() names.
 */
export function compileMapping(
  { columns, values = {}, blank = [] }: Mapping,
  sourceColumns: readonly string[],
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): CompiledMapping {
  const source = new SourceColumns(sourceColumns, isOpen);
  const problems: string[] = [];
  let isUnknown = false;
  const parsed: ParsedColumn[] = [];
  for (const [name, text] of Object.entries(columns)) {
    try {
      const expression = parseExpression(text, source, values);
      const evaluate = evaluateExpression(expression);
      parsed.push({ ...mappedColumn(name, text, expression), evaluate });
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      problems.push(`${name}=${text}: ${error.message}`);
      isUnknown ||= error instanceof UnknownColumnError;
    }
  }
  if (isUnknown) problems.push(source.list());
  if (problems.length > 0) throw new MappingError(problems.join('\n'));
  const targets = gatherMarks(parsed.map(withOwnErrors));
  const used = new Set(targets.flatMap(({ reads }) => reads));
  const isBlank = (cell: string | undefined) => cell !== undefined && blank.includes(cell.trim());
  return {
    targets,
    sourceColumns: source.names,
    readColumns: source.names.filter((name) => used.has(name)),
    unusedColumns: source.names.filter((name) => !used.has(name)),
    apply: ({ row, cells }) => {
      const read = blank.length === 0 ? cells : cells.map((cell) => (isBlank(cell) ? '' : cell));
      return targets.map(({ evaluate }) => evaluate({ row, cells: read }));
    },
  };
}

/** With errors that name the target. */
function withOwnErrors({ evaluate, ...target }: ParsedColumn): ParsedColumn {
  return {
    ...target,
    evaluate: (row) => {
      try {
        return evaluate(row);
      } catch (error) {
        throw error instanceof CellError ? inTarget(error, target) : error;
      }
    },
  };
}

/** `download must be a number (bytes_sec = download*125000)` */
function inTarget(error: CellError, { name, expression }: MappedColumn): CellError {
  const { message, column, value } = error;
  const shown = expression.slice(0, shownCharacters);
  const Kind = error instanceof RefusedCell ? RefusedCell : CellError;
  return new Kind(`${message} (${name} = ${shown})`, column, value);
}

const shownCharacters = 200;

function mappedColumn(name: string, text: string, expression: Expression): MappedColumn {
  return { name, expression: text, reads: columnsOf(expression) };
}
