import { expect } from 'chai';
import { silenceWatch } from '../../../services/query/execution/silence-watch.ts';
import { waitUntil } from '../../support/wait-until.ts';

const silenceMs = 2;
const timeoutMs = 30_000;

describe('a silent connection', () => {
  for (const [what, isRunning] of [
    ['the server does not run the query any more', () => Promise.resolve(false)],
    ['the server does not answer', () => Promise.reject(new Error('timeout'))],
  ] as const) {
    it(`is lost if ${what}`, async () => {
      const seen = { asked: 0, lost: 0 };
      silenceWatch({
        silenceMs,
        isRunning: () => {
          seen.asked++;
          return isRunning();
        },
        onLost: () => seen.lost++,
      });
      await waitUntil(() => seen.lost > 0, timeoutMs);
      await turns();
      expect(seen).to.deep.equal({ asked: 2, lost: 1 });
    });
  }

  it('is not lost while the server runs the query, however long', async () => {
    const seen = { asked: 0, lost: 0 };
    const watch = silenceWatch({
      silenceMs,
      isRunning: () => Promise.resolve(++seen.asked > 0),
      onLost: () => seen.lost++,
    });
    await waitUntil(() => seen.asked > 5, timeoutMs);
    watch.stop();
    expect(seen.lost).to.equal(0);
  });

  it('is not lost if a chunk arrives while the server is asked', async () => {
    const seen = { asked: 0, lost: 0 };
    let arrive: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    const watch = silenceWatch({
      silenceMs,
      // The first answer comes after the chunk.
      isRunning: async () => {
        if (++seen.asked > 1) return true;
        arrive();
        await turns();
        return false;
      },
      onLost: () => seen.lost++,
    });
    const chunks = watch.over(
      (async function* () {
        await arrival;
        yield Buffer.from('last');
      })(),
    );
    const { value } = (await chunks.next()) as { value: Buffer };
    expect(value.toString()).to.equal('last');
    await turns();
    expect(seen).to.deep.equal({ asked: 1, lost: 0 });
    expect((await chunks.next()).done).to.equal(true);
  });

  it('is not asked about while the reader is slow, or after the response', async () => {
    const seen = { asked: 0, lost: 0 };
    const watch = silenceWatch({
      silenceMs: 10_000,
      isRunning: () => Promise.resolve(++seen.asked < 0),
      onLost: () => seen.lost++,
    });
    for await (const chunk of watch.over(twoChunks())) expect(chunk).to.have.length(1);
    watch.stop();
    expect(seen).to.deep.equal({ asked: 0, lost: 0 });
  });
});

// eslint-disable-next-line @typescript-eslint/require-await
async function* twoChunks(): AsyncGenerator<Buffer> {
  yield Buffer.from('a');
  yield Buffer.from('b');
}

/** Longer than the silence, so that a timer that was left running fires. */
function turns(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20 * silenceMs));
}
