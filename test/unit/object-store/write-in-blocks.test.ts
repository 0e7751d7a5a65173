import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { writeInBlocks } from '../../../services/shared/object-store/write-in-blocks.ts';

const sizes = { blockBytes: 10, aheadBytes: 4 };

describe('writeInBlocks', () => {
  for (const pieceBytes of [1, 3, 4, 10, 25, 100]) {
    for (const total of [0, 1, 9, 10, 11, 14, 20, 97, 100]) {
      it(`writes ${total} bytes from chunks of ${pieceBytes} bytes unchanged`, async () => {
        const content = Buffer.from(Array.from({ length: total }, (_, i) => i));
        const blocks: Buffer[] = [];
        await writeInBlocks(inPieces(content, pieceBytes), sizes, async (block) => {
          await sleep(0);
          blocks.push(Buffer.from(block));
        });
        expect(Buffer.concat(blocks)).to.deep.equal(content);
        const lengths = blocks.map(({ length }) => length);
        expect(lengths.slice(0, -1).every((length) => length === 10)).to.be.true;
        expect(lengths.length).to.equal(Math.max(1, Math.ceil(total / 10)));
      });
    }
  }

  it('reads ahead only up to the limit while a block is written', async () => {
    let takenBytes = 0;
    let finish: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => (finish = resolve));
    const pieces = inPieces(Buffer.alloc(100), 1, () => takenBytes++);
    const writing = writeInBlocks(pieces, sizes, () => isWritten);
    await sleep(20);
    expect(takenBytes).to.equal(14);
    finish();
    await writing;
    expect(takenBytes).to.equal(100);
  });

  it('throws the error of a failed write', async () => {
    const full = () => Promise.reject(new Error('disk full'));
    const error = await failure(writeInBlocks(inPieces(Buffer.alloc(50), 5), sizes, full));
    expect(error.message).to.equal('disk full');
    const last = await failure(writeInBlocks(inPieces(Buffer.alloc(5), 5), sizes, full));
    expect(last.message).to.equal('disk full');
  });

  it('waits for the current write when the stream fails, and throws the error of the stream', async () => {
    let isWritten = false;
    const write = async () => {
      await sleep(20);
      isWritten = true;
      throw new Error('disk full');
    };
    const error = await failure(writeInBlocks(broken(), sizes, write));
    expect(error.message).to.equal('connection lost');
    expect(isWritten).to.be.true;
  });
});

async function* inPieces(
  content: Buffer,
  pieceBytes: number,
  onTake: () => void = () => undefined,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += pieceBytes) {
    onTake();
    yield await Promise.resolve(content.subarray(at, at + pieceBytes));
  }
}

async function* broken(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.alloc(12));
  throw new Error('connection lost');
}

async function failure(work: Promise<void>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected an error');
}
