import type { Warning } from '../../shared/errors/warnings.ts';
import { successMessage } from '../../shared/http/envelope.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { ExportKind } from '../export/export-record.ts';
import { newline, requireRow, wholeLines } from './whole-lines.ts';

const comma = 0x2c;

export interface RowCount {
  rows: number;
}

/** Awaited after the last row, so that finding warnings does not delay the data. Must not reject. */
export type WarningList = readonly Warning[] | Promise<readonly Warning[]>;

/**
 * ClickHouse's rows, one JSON object per line, as the `data` of the envelope.
 *
 * Does not parse rows: a line end is replaced by a comma, or by the start of a new series where the
 * key changes. Yields nothing before the first row or the end, so that an earlier error still gets its
 * own status. `warnings` is called after the last row: a response without rows has more of them.
 */
export async function* frameRows(
  kind: ExportKind,
  chunks: AsyncIterable<Buffer>,
  compiled: Pick<CompiledQuery, 'columns' | 'series'>,
  count: RowCount,
  warnings: () => WarningList,
): AsyncGenerator<Buffer> {
  const { closing, empty, ...frame } = frameOf(kind, compiled);
  const joiner = new RowJoiner(frame);
  for await (const lines of wholeLines(chunks)) yield* merged([...joiner.joined(lines, count)]);
  const end = count.rows === 0 ? `${envelopeOpening}${empty}` : closing;
  yield Buffer.from(`${end}${warningsText(await warnings())}}`);
}

/**
 * Test data is one list: `"data":[row,row]`. Metric data has one object per series:
 * `"data":[{"metricData":[row,row]},{"metricData":[row]}]`. Without splits there is always one, also when nothing
 * matched: `"data":[{"metricData":[]}]`.
 */
function frameOf(kind: ExportKind, { columns, series }: Pick<CompiledQuery, 'columns' | 'series'>) {
  if (kind === 'test_data') return { opening: '[', closing: ']', empty: '[]' };
  // The split columns come first, so the text before the next column identifies the series. endOfKey
  // cannot occur within a value, where a quote is escaped as \".
  const endOfKey = `,${JSON.stringify(columns[series.keyColumns]?.name)}:`;
  return {
    opening: '[{"metricData":[',
    closing: ']}]',
    empty: series.hasEmptySeries ? '[{"metricData":[]}]' : '[]',
    ...(series.keyColumns > 0 && { series: { endOfKey, between: ']},{"metricData":[' } }),
  };
}

const envelopeOpening = `{"code":"OK","message":${JSON.stringify(successMessage)},"data":`;

interface Frame {
  readonly opening: string;
  readonly series?: { readonly endOfKey: string; readonly between: string };
}

function warningsText(warnings: readonly Warning[]): string {
  return warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`;
}

// Writing many short series one by one costs more than copying them into one buffer.
function merged(pieces: readonly Buffer[]): readonly Buffer[] {
  return pieces.length <= 4 ? pieces : [Buffer.concat(pieces)];
}

class RowJoiner {
  readonly #frame: Frame;
  readonly #endOfKey: Buffer;
  #key: Buffer | undefined;

  constructor(frame: Frame) {
    this.#frame = frame;
    this.#endOfKey = Buffer.from(frame.series?.endOfKey ?? '');
  }

  /** Yields complete lines with the opening before and the separators between them. */
  *joined(lines: Buffer, count: RowCount): Generator<Buffer> {
    let pieceStart = 0;
    for (let start = 0, end; start < lines.length; start = end + 1) {
      end = lines.indexOf(newline, start);
      const separator = this.#separatorBefore(lines, start, end, count.rows === 0);
      count.rows++;
      if (separator === ',' && start > 0) {
        lines[start - 1] = comma;
        continue;
      }
      if (start > 0) yield lines.subarray(pieceStart, start - 1);
      yield Buffer.from(separator);
      pieceStart = start;
    }
    yield lines.subarray(pieceStart, lines.length - 1);
  }

  #separatorBefore(lines: Buffer, start: number, end: number, isFirst: boolean): string {
    requireRow(lines, start);
    const { opening, series } = this.#frame;
    const between = series !== undefined && this.#entersSeries(lines, start, end) && series.between;
    return isFirst ? `${envelopeOpening}${opening}` : between || ',';
  }

  #entersSeries(lines: Buffer, start: number, end: number): boolean {
    if (this.#key !== undefined && startsWith(lines, start, end, this.#key)) return false;
    const keyEnd = lines.indexOf(this.#endOfKey, start);
    if (keyEnd < 0 || keyEnd > end)
      throw new Error('A row of ClickHouse lacks the column after its splits');
    this.#key = Buffer.from(lines.subarray(start, keyEnd + this.#endOfKey.length));
    return true;
  }
}

function startsWith(lines: Buffer, start: number, end: number, key: Buffer): boolean {
  const keyEnd = start + key.length;
  return keyEnd <= end && lines.compare(key, 0, key.length, start, keyEnd) === 0;
}
