import { ClickHouseError } from '@clickhouse/client';
import { expect } from 'chai';
import { exceptionGuard } from '../../../services/query/execution/exception-guard.ts';

const tag = 'bb6fe8b1a8ed2b52';
const rows = Buffer.from('{"a":"é"}\n{"a":"\\r\\n__exception__\\r\\n"}\n');
const report =
  'Code: 396. DB::Exception: Limit for result exceeded. (TOO_MANY_ROWS_OR_BYTES) (version 26.5.1.1)\n';
const frame = Buffer.from(
  `\r\n__exception__\r\n${tag}\r\n${report}${report.length} ${tag}\r\n__exception__\r\n`,
);

describe('the exception guard of a ClickHouse response', () => {
  it('forwards a complete response unchanged, wherever it is split', async () => {
    for (let at = 0; at <= rows.length; at++) {
      const passed = await collect(exceptionGuard(split(rows, at), tag));
      expect(passed.toString()).to.equal(rows.toString());
    }
  });

  it('throws the ClickHouse error and forwards nothing of it, wherever it is split', async () => {
    const broken = Buffer.concat([rows, frame]);
    for (let at = 0; at <= broken.length; at++) {
      const { passed, error } = await outcome(exceptionGuard(split(broken, at), tag));
      expect(rows.subarray(0, passed.length).equals(passed), `split at ${at}`).to.be.true;
      expect(error, `split at ${at}`).to.be.instanceOf(ClickHouseError);
      expect((error as ClickHouseError).code).to.equal('396');
    }
  });

  it('throws it also when the response arrives byte by byte', async () => {
    const broken = Buffer.concat([rows, frame]);
    const { error } = await outcome(exceptionGuard(bytes(broken), tag));
    expect((error as ClickHouseError).type).to.equal('TOO_MANY_ROWS_OR_BYTES');
  });

  it('throws the reported error, not the connection error that follows', async () => {
    async function* broken() {
      yield* split(Buffer.concat([rows, frame]), 10);
      throw await Promise.resolve(new Error('aborted'));
    }
    const { error } = await outcome(exceptionGuard(broken(), tag));
    expect(error).to.be.instanceOf(ClickHouseError);
  });

  it('treats a marker with another tag as data', async () => {
    const data = Buffer.from('a\r\n__exception__\r\n0000000000000000\r\nb');
    const passed = await collect(exceptionGuard(split(data, 5), tag));
    expect(passed.toString()).to.equal(data.toString());
  });

  it('throws also when the report itself is truncated', async () => {
    const cut = Buffer.concat([rows, frame.subarray(0, frame.indexOf(tag) + tag.length + 4)]);
    const { error } = await outcome(exceptionGuard(split(cut, 3), tag));
    expect(error).to.be.instanceOf(Error);
  });
});

async function* split(buffer: Buffer, at: number): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(buffer.subarray(0, at)));
  yield Buffer.from(buffer.subarray(at));
}

async function* bytes(buffer: Buffer): AsyncGenerator<Buffer> {
  for (const byte of buffer) yield await Promise.resolve(Buffer.from([byte]));
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const { passed, error } = await outcome(pieces);
  if (error !== undefined) throw error as Error;
  return passed;
}

async function outcome(pieces: AsyncIterable<Buffer>): Promise<{ passed: Buffer; error: unknown }> {
  const passed: Buffer[] = [];
  let error: unknown;
  try {
    for await (const piece of pieces) passed.push(Buffer.from(piece));
  } catch (thrown) {
    error = thrown;
  }
  return { passed: Buffer.concat(passed), error };
}
