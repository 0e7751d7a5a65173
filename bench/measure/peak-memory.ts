import { readOpsMetric } from './read-ops-metric.ts';

/** The peak memory of a service while `work` runs, in bytes. */
export async function peakMemory(opsUrl: string, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      peak = Math.max(peak, await readOpsMetric(opsUrl, 'process_resident_memory_bytes'));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const watching = watch();
  await work().finally(() => (isDone = true));
  await watching;
  return peak;
}
