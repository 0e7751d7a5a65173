import { scalarColumns } from './snapshot-content.ts';

/** Parses the canonical text of a row into columns, for messages. NULL becomes `null`. */
export function rowTextFields(text: string): ReadonlyMap<string, string> {
  const parts = netstringLists(Buffer.from(text));
  const fields = new Map<string, string>();
  for (const [i, column] of scalarColumns.entries()) fields.set(column, parts[i]?.[0] ?? 'null');
  fields.set('custom', pairs(parts[scalarColumns.length] ?? []));
  fields.set('custom_number_keys', (parts[scalarColumns.length + 1] ?? []).join(', '));
  return fields;
}

/** `2:ab,~,1:a1:b` → [['ab'], [], ['a', 'b']]. Lengths are bytes. */
function netstringLists(bytes: Buffer): string[][] {
  const lists: string[][] = [[]];
  let at = 0;
  while (at < bytes.length) {
    const mark = String.fromCharCode(bytes[at] ?? 0);
    if (mark === ',') lists.push([]);
    if (mark === ',' || mark === '~') {
      at++;
      continue;
    }
    const colon = bytes.indexOf(':', at);
    const end = colon + 1 + Number(bytes.toString('latin1', at, colon));
    lists.at(-1)?.push(bytes.toString('utf8', colon + 1, end));
    at = end;
  }
  return lists;
}

function pairs(keysAndValues: readonly string[]): string {
  return keysAndValues
    .map((text, i) => (i % 2 === 0 ? `${i === 0 ? '' : ', '}${text}=` : text))
    .join('');
}
