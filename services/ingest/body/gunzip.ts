import { createGunzip } from 'node:zlib';

/** Decompresses gzip. An error of the source is thrown as it is. */
export async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createGunzip();
  // A pipeline would replace the error of the source by one about an early close.
  const feed = (async () => {
    for await (const chunk of source) {
      if (stream.destroyed) return;
      if (!stream.write(chunk)) await drained(stream);
    }
    stream.end();
  })();
  feed.catch((error: unknown) => stream.destroy(error as Error));
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    stream.destroy();
  }
}

function drained(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.on('drain', end).on('close', end);
  });
}
