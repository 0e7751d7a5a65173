import { PassThrough } from 'node:stream';
import type { TextInput } from '../input/open-text.ts';
import type { SourceReader } from '../sources/source-rows.ts';
import type { MappedRows } from './mapped-rows.ts';

/** A file as CSV text with the columns of a test. */
export interface LoadInput extends TextInput {
  /** For a file whose rows were mapped. */
  readonly mapped?: MappedRows;
}

/** Reads all rows of a file. */
type ReadRows = (reader: SourceReader) => Promise<void>;

/** The rows of a file as CSV text with the columns of a test. */
export function mappedText(
  read: ReadRows,
  mapped: MappedRows,
  format: TextInput['format'],
): LoadInput {
  const content = new PassThrough({ highWaterMark: 1024 * 1024 });
  let header = '';
  const reader: SourceReader = {
    onColumns(columns, separator) {
      mapped.separator = separator;
      const opened = mapped.open(columns);
      header = opened.header;
      return opened.reads;
    },
    async onRows(batch) {
      const text = header + mapped.lines(batch);
      header = '';
      await write(content, text);
    },
  };
  read(reader).then(
    () => content.end(header),
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
