/**
 * Splits a list of values so that each part fits into one parameter. ClickHouse's HTTP interface accepts
 * at most 128 KiB per parameter (http_max_field_value_size), in which a character may be escaped.
 */
export function valueLists(values: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [[]];
  let bytes = 0;
  for (const value of values) {
    const size = Buffer.byteLength(value) + quotesAndComma;
    if (bytes + size > maxListBytes && bytes > 0) {
      lists.push([]);
      bytes = 0;
    }
    bytes += size;
    lists.at(-1)?.push(value);
  }
  return lists;
}

const maxListBytes = 60_000;
const quotesAndComma = 3;
