import { expect } from 'chai';
import { unzstd, unzstdSync, ZstdError } from '../../../services/results/compression/unzstd.ts';
import { zstdFrame } from '../../support/zstd-frame.ts';

const text =
  '{"unit_id":1,"dtime":"2026-11-15 18:30:00","target":"a"}\n{"unit_id":2,"dtime":"2026-11-15 18:31:00","target":"b"}\n';
/** Of the program zstd 1.5, level 3, with a checksum. */
const compressed = Buffer.from(
  'KLUv/SRyXQIA9AN7InVuaXRfaWQiOjEsImR0aW1lIjoiMjAyNi0xMS0xNSAxODozMDowMCIsInRhcmdldCI6ImEifQoyMWIifQoDAKATsG5yQ0EBrvuFTg==',
  'base64',
);
const limits = { maxWindowLog: 23 };

async function decompressed(data: Buffer, chunkBytes = data.length) {
  const chunks: Buffer[] = [];
  const source = (function* () {
    for (let at = 0; at < data.length; at += chunkBytes) {
      yield data.subarray(at, at + chunkBytes);
    }
  })();
  for await (const chunk of unzstd(source as unknown as AsyncIterable<Buffer>, limits)) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function errorOf(data: Buffer): Promise<string> {
  const outcome = await decompressed(data).catch((error: unknown) => error);
  return outcome instanceof Error ? outcome.message : `no error, but ${String(outcome)}`;
}

/** The data with one bit of a byte changed. */
function damaged(data: Buffer, place: number): Buffer {
  const copy = Buffer.from(data);
  const at = place < 0 ? data.length + place : place;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

describe('zstd', () => {
  it('is decompressed, whatever its chunks are', async () => {
    for (const chunkBytes of [1, 7, 1000]) {
      expect(await decompressed(compressed, chunkBytes)).to.equal(text);
    }
  });

  it('may have several frames and blocks', async () => {
    const large = 'netpanel '.repeat(40_000);
    const frames = Buffer.concat([compressed, zstdFrame(Buffer.from(large)), compressed]);
    expect((await decompressed(frames)) === text + large + text).to.equal(true);
  });

  it('with a wrong checksum is refused, although its blocks can be read', async () => {
    const wrong = 'the checksum is wrong: the zstd data is damaged';
    expect(await errorOf(damaged(compressed, -1))).to.equal(wrong);
    // A letter of the text, which is in the data as it is.
    const place = compressed.indexOf('unit_id');
    expect(place).to.be.greaterThan(0);
    expect(await errorOf(damaged(compressed, place))).to.equal(wrong);
    expect(await errorOf(damaged(zstdFrame(Buffer.from(text)), 20))).to.equal(wrong);
  });

  it('that is cut short, or is none, is refused', async () => {
    const cut = compressed.subarray(0, -1);
    expect(await errorOf(cut)).to.equal('the zstd data is cut short');
    expect(await errorOf(Buffer.from('unit_id,dtime\n'))).to.equal('the data is not zstd');
  });

  it('of a Parquet page is decompressed, and refused if it is damaged or cut short', () => {
    expect(Buffer.from(unzstdSync(compressed)).toString()).to.equal(text);
    for (const bad of [compressed.subarray(0, 40), Buffer.from('unit_id,dtime\n')]) {
      expect(() => unzstdSync(bad)).to.throw(ZstdError, 'the zstd data is damaged');
    }
  });
});
