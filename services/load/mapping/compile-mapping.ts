import { columnsOf, type EvaluatedRow, type Expression } from './expression.ts';
import { MappingError, UnknownColumnError } from '../mapping-error.ts';
import { CellError, type Evaluate, evaluateExpression } from './evaluate-expression.ts';
import { type LookupTables, parseExpression } from './parse-expression.ts';
import { SourceColumns } from './source-columns.ts';

/** The expressions of target columns, and the tables that they use. */
export interface Mapping {
  readonly columns: Readonly<Record<string, string>>;
  readonly values?: LookupTables;
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

interface MappedColumn {
  readonly name: string;
  /** As written: `download_mbps*125000`. */
  readonly expression: string;
  /** The columns of the file that it reads. */
  readonly reads: readonly string[];
}

/**
 * Compiles a mapping for a file with these columns. Throws a MappingError with every problem. `isOpen`:
 * rows may have further columns, which optional() names.
 */
export function compileMapping(
  { columns, values = {} }: Mapping,
  sourceColumns: readonly string[],
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): CompiledMapping {
  const source = new SourceColumns(sourceColumns, isOpen);
  const problems: string[] = [];
  let isUnknown = false;
  const targets: MappedColumn[] = [];
  const evaluators: Evaluate[] = [];
  for (const [name, text] of Object.entries(columns)) {
    try {
      const expression = parseExpression(text, source, values);
      evaluators.push(evaluateExpression(expression));
      targets.push(mappedColumn(name, text, expression));
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      problems.push(`${name}=${text}: ${error.message}`);
      isUnknown ||= error instanceof UnknownColumnError;
    }
  }
  if (isUnknown) problems.push(source.list());
  if (problems.length > 0) throw new MappingError(problems.join('\n'));
  const used = new Set(targets.flatMap(({ reads }) => reads));
  return {
    targets,
    sourceColumns: source.names,
    readColumns: source.names.filter((name) => used.has(name)),
    unusedColumns: source.names.filter((name) => !used.has(name)),
    apply: (row) =>
      evaluators.map((evaluate, i) => {
        try {
          return evaluate(row);
        } catch (error) {
          throw error instanceof CellError ? inTarget(error, targets[i]) : error;
        }
      }),
  };
}

/** `download must be a number (bytes_sec = download*125000)` */
function inTarget(
  { message, column, value }: CellError,
  target: MappedColumn | undefined,
): CellError {
  const { name = '', expression = '' } = target ?? {};
  const shown = expression.slice(0, shownCharacters);
  return new CellError(`${message} (${name} = ${shown})`, column, value);
}

const shownCharacters = 200;

function mappedColumn(name: string, text: string, expression: Expression): MappedColumn {
  return { name, expression: text, reads: columnsOf(expression) };
}
