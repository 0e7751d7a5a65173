import { readOpsFigure } from './read-ops-figure.ts';

/** The most memory a service took while the work ran, in bytes. */
export async function peakMemory(opsUrl: string, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      peak = Math.max(peak, await readOpsFigure(opsUrl, 'process_resident_memory_bytes'));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const watching = watch();
  await work().finally(() => (isOver = true));
  await watching;
  return peak;
}
