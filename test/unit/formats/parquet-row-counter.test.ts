import { expect } from 'chai';
import { ParquetRowCounter } from '../../../services/query/formats/parquet-row-counter.ts';

const mebibyte = 1024 * 1024;

// FileMetaData in Thrift's compact protocol: version 1, no schema, 150 rows (zigzag), no row groups.
const footer = Buffer.from([0x15, 0x02, 0x19, 0x0c, 0x16, 0xac, 0x02, 0x19, 0x0c, 0x00]);

describe('ParquetRowCounter', () => {
  for (const dataBytes of [4, 1_000, 4 * mebibyte - 18, 4 * mebibyte - 3, 9 * mebibyte + 1]) {
    for (const pieceBytes of [65_536, 1_000_003]) {
      it(`reads the rows of a file of ${dataBytes} bytes in pieces of ${pieceBytes}`, () => {
        expect(rowsOf(parquet(dataBytes), pieceBytes)).to.equal(150);
      });
    }
  }

  it('rejects a truncated file', () => {
    const file = parquet(9 * mebibyte);
    expect(() => rowsOf(file.subarray(0, -1), 65_536)).to.throw('not a complete Parquet file');
    expect(() => rowsOf(Buffer.from('PAR1'), 65_536)).to.throw('not a complete Parquet file');
  });

  it('rejects a footer that is too large', () => {
    const file = parquet(9 * mebibyte);
    file.writeUInt32LE(5 * mebibyte, file.length - 8);
    expect(() => rowsOf(file, 65_536)).to.throw('not a complete Parquet file');
  });
});

function parquet(dataBytes: number): Buffer {
  const end = Buffer.alloc(8, 'PAR1');
  end.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.alloc(dataBytes, 0xee), footer, end]);
}

function rowsOf(file: Buffer, pieceBytes: number): number {
  const counter = new ParquetRowCounter();
  for (let at = 0; at < file.length; at += pieceBytes) {
    counter.add(file.subarray(at, at + pieceBytes));
  }
  counter.finish();
  return counter.rows;
}
