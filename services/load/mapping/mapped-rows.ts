import { PassThrough } from 'node:stream';
import { csvText, type Separator } from '../../results/csv.ts';
import { HeaderError } from '../../results/columns/file-plan.ts';
import type { MultilineFields } from '../../results/rows/multiline-fields.ts';
import { byLine, type RejectedRow } from '../../results/rows/scanned-rows.ts';
import type { TextInput } from '../input/open-text.ts';
import type { SourceBatch, SourceReader, SourceRow } from '../sources/source-rows.ts';
import { type CompiledMapping, compileMapping, type Mapping } from './compile-mapping.ts';
import { CellError } from './evaluate-expression.ts';
import { MappingError } from '../mapping-error.ts';
import type { InputFormat } from '../input/input-format.ts';

interface MappedRowsOptions {
  readonly format: InputFormat;
  readonly mappingFor: (columns: readonly string[]) => Mapping;
}

/**
 * Turns rows of a file into lines with the columns of a test. A row has the same line number in the
 * result, which is padded with blank lines, so the scanner's line numbers are those of the file.
 */
export class MappedRows implements SourceReader {
  /** The lines. */
  readonly content = new PassThrough({ highWaterMark: 1024 * 1024 });
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

  /** Compiles the mapping and writes the header line. */
  onColumns(columns: readonly string[], separator?: Separator): readonly string[] {
    this.separator = separator;
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
    this.content.write(csvText([this.#compiled.targets.map(({ name }) => name)]));
    return this.#compiled.readColumns;
  }

  /** Columns of the file that the mapping does not read. */
  get unusedColumns(): readonly string[] {
    return this.#compiled?.unusedColumns ?? [];
  }

  /** Writes the lines of consecutive rows. */
  async onRows({ rows, unreadable, multiline }: SourceBatch): Promise<void> {
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
    this.#rejected.sort(byLine);
    await write(this.content, text);
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

/**
 * Mapped rows that are not yet checked, by line, to show a rejected row as in the file. Memory is bounded:
 * the oldest rows are dropped, and shown as they were mapped.
 */
class RecentRows {
  readonly #rows = new Map<number, SourceRow>();
  #characters = 0;

  add(row: SourceRow): void {
    this.#rows.set(row.line, row);
    this.#characters += sizeOf(row);
    if (this.#characters > maxCharacters) this.#dropWhile(() => this.#characters > maxCharacters);
  }

  at(line: number): SourceRow | undefined {
    return this.#rows.get(line);
  }

  forget(beforeLine: number): void {
    this.#dropWhile((line) => line < beforeLine);
  }

  #dropWhile(isDropped: (line: number) => boolean): void {
    for (const [line, row] of this.#rows) {
      if (!isDropped(line)) return;
      this.#rows.delete(line);
      this.#characters -= sizeOf(row);
    }
  }
}

const maxCharacters = 64 * 1024 ** 2;

/** About the memory of a row: its text, and 40 bytes per cell. */
function sizeOf({ text = '', cells }: SourceRow): number {
  return text.length + 40 * cells.length;
}

/** A file as CSV text with the columns of a test. */
export interface LoadInput extends TextInput {
  /** For a file whose rows were mapped. */
  readonly mapped?: MappedRows;
}

/** Reads all rows of a file, and returns them as CSV text with the columns of a test. */
export function mappedText(
  read: (reader: SourceReader) => Promise<void>,
  mapped: MappedRows,
  format: TextInput['format'],
): LoadInput {
  const { content } = mapped;
  read(mapped).then(
    () => content.end(),
    (error: unknown) => content.destroy(error as Error),
  );
  return { content, format, mapped };
}

/** Waits until there is room for more. Throws when the reader has closed the stream. */
async function write(stream: PassThrough, text: string): Promise<void> {
  if (!stream.destroyed && (text === '' || stream.write(text))) return;
  await new Promise<void>((resolve) => {
    if (stream.destroyed) resolve();
    const end = () => {
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.on('drain', end).on('close', end);
  });
  if (stream.destroyed) throw new Error('the reader has closed the stream');
}
