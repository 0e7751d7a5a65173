import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  Journal,
  type JournalEntry,
} from '../../../deploy/local/clickhouse/engines/wasm/journal.ts';

describe('the journal of the WebAssembly engine', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'netpanel-journal-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const entries: readonly JournalEntry[] = [
    { query: { setup: ["SET max_threads = '2'"], sql: 'CREATE TABLE t', format: 'CSV' } },
    {
      insert: { setup: [], head: 'INSERT INTO t', tail: 'FORMAT CSV', data: Buffer.from('1\0\n') },
    },
  ];

  it('returns the written entries in order, byte for byte', () => {
    const journal = new Journal(join(folder, 'journal'));
    for (const entry of entries) journal.append(entry);
    expect([...journal.entries()]).to.deep.equal(entries);
  });

  it('removes an incomplete entry after a kill, and appends after the last complete one', () => {
    const path = join(folder, 'journal');
    const journal = new Journal(path);
    journal.append(entries[0]!);
    const { size } = statSync(path);
    appendFileSync(path, Buffer.from([9, 0, 0, 0, 9, 0, 0, 0, 1]));
    expect([...journal.entries()]).to.deep.equal([entries[0]]);
    expect(statSync(path).size).to.equal(size);
    journal.append(entries[1]!);
    expect([...journal.entries()]).to.deep.equal(entries);
  });

  it('is empty before the first change', () => {
    expect([...new Journal(join(folder, 'journal')).entries()]).to.deep.equal([]);
  });
});
