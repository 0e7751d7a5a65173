import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { openText } from '../../../services/load/input/open-text.ts';
import type { Encoding } from '../../../services/load/input/text-encoding.ts';

/** Reads bytes that arrive in chunks of this size. */
async function read(bytes: Buffer, chunkBytes = 64 * 1024, encoding?: Encoding) {
  const count = Math.ceil(bytes.length / chunkBytes);
  const chunks = Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  const { content, format } = openText(Readable.from(chunks, { objectMode: false }), { encoding });
  return { text: await text(content), format };
}

const csv = 'unit_id,target\n1,Zürich\n2,café\n';
const bigEndian = (value: string) => Buffer.from(value, 'utf16le').swap16();

describe('the text of a file', () => {
  for (const [name, bytes, encoding] of [
    ['UTF-8', Buffer.from(csv), 'utf-8'],
    ['UTF-16 with a byte-order mark', Buffer.from(`\ufeff${csv}`, 'utf16le'), 'utf-16le'],
    ['UTF-16, big-endian, with a byte-order mark', bigEndian(`\ufeff${csv}`), 'utf-16be'],
    ['UTF-16 without a byte-order mark', Buffer.from(csv, 'utf16le'), 'utf-16le'],
    ['UTF-16, big-endian, without a byte-order mark', bigEndian(csv), 'utf-16be'],
    ['Latin-1', Buffer.from(csv, 'latin1'), 'windows-1252'],
  ] as const) {
    it(`is the same from ${name}, in chunks of any size and from gzip`, async () => {
      for (const chunkBytes of [1, 7, 64 * 1024]) {
        const plain = await read(bytes, chunkBytes);
        expect(plain.text).to.equal(csv);
        expect(plain.format).to.deep.equal({ encoding, lineEnds: 'LF', isEmpty: false });
        expect((await read(gzipSync(bytes), chunkBytes)).text).to.equal(csv);
      }
    });
  }

  it('has line feeds where a file has CR alone, and keeps CRLF', async () => {
    const cr = await read(Buffer.from(csv.replaceAll('\n', '\r')), 5);
    expect(cr.text).to.equal(csv);
    expect(cr.format.lineEnds).to.equal('CR');
    const crlf = await read(Buffer.from(csv.replaceAll('\n', '\r\n')));
    expect(crlf.text).to.equal(csv.replaceAll('\n', '\r\n'));
    expect(crlf.format.lineEnds).to.equal('CRLF');
  });

  it('stays as it is if UTF-8 has single invalid bytes, or a character at the end of the head', async () => {
    const mixed = Buffer.concat([Buffer.from(csv), Buffer.from([0xe9, 0x0a])]);
    expect((await read(mixed)).format.encoding).to.equal('utf-8');
    const cut = Buffer.from(`${'a'.repeat(64 * 1024 - 1)}é and more`);
    expect((await read(cut)).format.encoding).to.equal('utf-8');
  });

  it('is read with the encoding that was asked for', async () => {
    expect((await read(Buffer.from('é'), 10, 'windows-1252')).text).to.equal('Ã©');
  });

  it('is empty only without a single byte', async () => {
    expect((await read(Buffer.alloc(0))).format.isEmpty).to.equal(true);
    expect((await read(gzipSync(''))).format.isEmpty).to.equal(true);
    expect((await read(Buffer.from('\n'))).format.isEmpty).to.equal(false);
  });

  it('of valid UTF-8 never changes', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\r]/.test(value));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (lines, size) => {
        const written = `unit_id,dtime\n${lines.join('\n')}`;
        expect((await read(Buffer.from(written), size)).text).to.equal(written);
      }),
      { numRuns: 50 },
    );
  });
});
