import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The memory of a service right after a garbage collection. */
export interface MemorySample {
  readonly atMs: number;
  /** Heap in use and memory outside of the heap that belongs to its objects, such as buffers. */
  readonly liveBytes: number;
  readonly residentBytes: number;
  /** Changes when the service restarts. */
  readonly pid: number;
}

/** The samples so far, which collect-garbage.ts writes in the service. */
export function memorySamples(folder: string, service: string): readonly MemorySample[] {
  const file = join(folder, `${service}.ndjson`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as MemorySample);
}
