import { expect } from 'chai';
import type { ExportRecord } from '../../../services/query/export/export-record.ts';
import { exportWatch } from '../../../services/query/export/waiting-downloads.ts';

const record = (id: string, status: string) => ({ id, status }) as unknown as ExportRecord;
const never = () => new AbortController().signal;

describe('watching running exports', () => {
  let statuses: Record<string, string>;
  let reading: number;
  let mostReading: number;
  let reads: number;
  let ended: ReturnType<typeof exportWatch>;

  beforeEach(() => {
    statuses = { a: 'running', b: 'running' };
    [reading, mostReading, reads] = [0, 0, 0];
    ended = exportWatch(find, 1);
  });

  it('reads one record at a time, however many requests wait', async () => {
    const waiting = Array.from({ length: 200 }, (_, i) => ended(i % 2 ? 'a' : 'b', never()));
    statuses = { a: 'done', b: 'cancelled' };
    const records = await Promise.all(waiting);
    expect(new Set(records.map((one) => one?.status))).to.deep.equal(
      new Set(['done', 'cancelled']),
    );
    expect(mostReading).to.equal(1);
    expect(reads).to.equal(2);
  });

  it('stops reading when no request waits any more', async () => {
    const client = new AbortController();
    const waiting = ended('a', client.signal).catch((error: unknown) => error);
    const reason = new Error('the client disconnected');
    client.abort(reason);
    expect(await waiting).to.equal(reason);
    const other = await Promise.all([ended('b', never()), end('b')]);
    expect(other[0]?.id).to.equal('b');
    const before = reads;
    await ended('gone', never());
    expect(reads).to.equal(before + 1);
  });

  it('passes an error of the database to all requests, and works again afterwards', async () => {
    const failure = new Error('Connection terminated');
    const broken = exportWatch((id) => (reads++ === 0 ? Promise.reject(failure) : find(id)), 1);
    const outcome = () => broken('gone', never()).catch((error: unknown) => error);
    expect(await Promise.all([outcome(), outcome()])).to.deep.equal([failure, failure]);
    expect(await outcome()).to.equal(undefined);
  });

  async function find(id: string): Promise<ExportRecord | undefined> {
    reads++;
    mostReading = Math.max(mostReading, ++reading);
    await new Promise(setImmediate);
    reading--;
    const status = statuses[id];
    return status === undefined ? undefined : record(id, status);
  }

  async function end(id: string): Promise<void> {
    await new Promise(setImmediate);
    statuses = { ...statuses, [id]: 'done' };
  }
});
