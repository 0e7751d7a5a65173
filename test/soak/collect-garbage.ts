import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MemorySample } from './memory-samples.ts';

// Loaded into the services during a soak. Writes the memory that is in use right after a garbage collection to
// SOAK_MEMORY_FOLDER. Some seconds later it would contain garbage, more of it the more requests there are.

const everyMs = 10_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const [, service] = /services\/(\w+)\/main\.js$/.exec(process.argv[1] ?? '') ?? [];
if (service !== undefined) setInterval(() => writeSample(service), everyMs).unref();

function writeSample(name: string): void {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const sample: MemorySample = {
    atMs: Date.now(),
    liveBytes: heapUsed + external,
    residentBytes: rss,
    pid: process.pid,
  };
  const file = join(process.env.SOAK_MEMORY_FOLDER ?? '.', `${name}.ndjson`);
  appendFileSync(file, `${JSON.stringify(sample)}\n`);
}
