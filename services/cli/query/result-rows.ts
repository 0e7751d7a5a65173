/** A row of the flat formats: the splits, the bucket and the statistics, or the columns of a raw result. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

export interface Rows {
  readonly rows: readonly Row[];
  /** Whether the response has more than `limit` rows. */
  readonly isCut: boolean;
}

/** Reads the rows of an NDJSON response, at most `limit`. Throws if the response ends within a row. */
export async function resultRows(body: AsyncIterable<Uint8Array>, limit: number): Promise<Rows> {
  const decoder = new TextDecoder();
  const rows: Row[] = [];
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (rows.length === limit) return { rows, isCut: true };
      rows.push(JSON.parse(line) as Row);
    }
  }
  if (rest !== '') throw new Error('The response is incomplete');
  return { rows, isCut: false };
}
