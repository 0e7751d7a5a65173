import { csvText } from '../../../results/csv/csv-text.ts';
import type { Separator } from '../../../results/csv/parse-csv.ts';
import { HeaderError } from '../../../results/columns/file-plan.ts';
import type { MultilineFields } from '../../../results/rows/multiline-fields.ts';
import type { RejectedRow } from '../../../results/rows/scanned-rows.ts';
import type { SourceBatch, SourceRow } from '../sources/source-rows.ts';
import { type CompiledMapping, compileMapping, type Mapping } from './compile-mapping.ts';
import { CellError } from './evaluate-expression.ts';
import { MappingError } from './expression.ts';
import type { InputFormat } from './mapping-file.ts';
import { RecentRows } from './recent-rows.ts';

interface MappedRowsOptions {
  readonly format: InputFormat;
  readonly mappingFor: (columns: readonly string[]) => Mapping;
}

/**
 * Turns rows of a file into lines with the columns of a test. A row has the same line number in the
 * result, which is padded with blank lines, so the scanner's line numbers are those of the file.
 */
export class MappedRows {
  /** Of the first row: 2 in a CSV file, 1 in a file without a header. */
  readonly firstLine: number;
  readonly format: InputFormat;
  readonly #options: MappedRowsOptions;
  readonly #recent = new RecentRows();
  #columns: readonly string[] = [];
  #compiled: CompiledMapping | undefined;
  #rejected: RejectedRow[] = [];
  #nextLine: number;
  /** Of a CSV file. */
  separator: Separator | undefined;
  multiline: MultilineFields | undefined;

  constructor(options: MappedRowsOptions) {
    this.#options = options;
    this.format = options.format;
    this.firstLine = options.format === 'csv' ? 2 : 1;
    this.#nextLine = this.firstLine;
  }

  /** Compiles the mapping. Returns the header line and the columns to read. */
  open(columns: readonly string[]): { readonly header: string; readonly reads: readonly string[] } {
    try {
      const mapping = this.#options.mappingFor(columns);
      // Rows of JSON may have keys that the first rows do not have.
      this.#compiled = compileMapping(mapping, columns, {
        isOpen: this.format === 'ndjson' || this.format === 'json',
      });
    } catch (error) {
      throw error instanceof MappingError ? new HeaderError(error.message) : error;
    }
    this.#columns = this.#compiled.sourceColumns;
    const header = csvText([this.#compiled.targets.map(({ name }) => name)]);
    return { header, reads: this.#compiled.readColumns };
  }

  /** Columns of the file that the mapping does not read. */
  get unusedColumns(): readonly string[] {
    return this.#compiled?.unusedColumns ?? [];
  }

  /** The lines of consecutive rows. */
  lines({ rows, unreadable, multiline }: SourceBatch): string {
    this.multiline = multiline;
    this.#rejected.push(...unreadable);
    let text = '';
    for (const row of rows) {
      const line = this.#line(row);
      if (line === undefined) continue;
      text += '\n'.repeat(row.line - this.#nextLine) + line;
      this.#nextLine = row.line + 1;
      this.#recent.add(row);
    }
    this.#rejected.sort((a, b) => a.line - b.line);
    return text;
  }

  #line(row: SourceRow): string | undefined {
    try {
      const values = this.#compiled?.apply(row) ?? [];
      const line = csvText([values]);
      if (/[\r\n]./s.test(line)) throw this.#lineEndError(values);
      return line;
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      const { message: reason, column, value } = error;
      const { line } = row;
      this.#rejected.push({ line, reason, column, value: shown(value), text: this.#text(row) });
      return undefined;
    }
  }

  #lineEndError(values: readonly string[]): CellError {
    const index = values.findIndex((value) => /[\r\n]/.test(value));
    const { name = '', reads = [] } = this.#compiled?.targets[index] ?? {};
    return new CellError(`${name} must not contain line ends`, reads[0] ?? '', values[index] ?? '');
  }

  /** The rows up to this line that could not be mapped, each once. */
  takeRejected(beforeLine: number): readonly RejectedRow[] {
    const later = this.#rejected.findIndex(({ line }) => line >= beforeLine);
    return this.#rejected.splice(0, later === -1 ? this.#rejected.length : later);
  }

  /** A row that the scanner rejected, with its text, column and value in the file. */
  asInFile(rejected: RejectedRow): RejectedRow {
    const row = this.#recent.at(rejected.line);
    const target = this.#compiled?.targets.find(({ name }) => name === rejected.column);
    const text = row === undefined ? rejected.text : this.#text(row);
    const [column] = target?.reads ?? [];
    const isSameName = column?.toLowerCase() === target?.name && target?.reads.length === 1;
    if (target === undefined || isSameName) return { ...rejected, text };
    const reason = `${rejected.reason} (${target.name} = ${shown(target.expression)})`;
    const group = rejected.group === undefined ? {} : { group: rejected.group };
    if (column === undefined) return { ...rejected, ...group, reason, text };
    const value = row?.cells[this.#columns.indexOf(column)] ?? rejected.value;
    return { ...rejected, ...group, reason, column, value: shown(value), text };
  }

  /** Forgets rows that can no longer be rejected. */
  forget(beforeLine: number): void {
    this.#recent.forget(beforeLine);
  }

  #text({ text, cells }: SourceRow): Buffer {
    if (text !== undefined) return Buffer.from(text.slice(0, shownRowCharacters));
    const read = this.#columns.flatMap((name, i) =>
      cells[i] === undefined ? [] : [[name, cells[i]] as const],
    );
    return Buffer.from(JSON.stringify(Object.fromEntries(read)));
  }
}

const shownCharacters = 200;
const shownRowCharacters = 64 * 1024;

function shown(text: string): string {
  return text.slice(0, shownCharacters);
}
