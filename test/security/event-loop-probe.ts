import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Loaded into a service before its own code (node --import). It measures the longest time for which the main
// thread has used the CPU without returning to the event loop. Unlike a delay, this does not include the time
// in which other processes use the CPU. On PROBE_PORT:
//   GET /longest    in milliseconds, since the last such request
//   GET /reference  the CPU time of a fixed computation now, in milliseconds

/** Short compared with what is measured: the CPU time of an interval counts towards a block in it. */
const intervalMs = 5;
/** Of the main thread alone: other threads collect garbage and compress. */
const schedulerFile = `/proc/self/task/${process.pid}/schedstat`;
/** The reference parses this text and sorts its 10,000 keys. */
const referenceText = JSON.stringify(
  Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`${i}`.padEnd(80, 'x'), i])),
);

let longestMs = 0;
let lastMs = mainThreadMs();

setInterval(measure, intervalMs).unref();

createServer((request, response) => {
  response.end(String(request.url === '/reference' ? referenceMs() : takeLongestMs()));
})
  .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
  .unref();

function takeLongestMs(): number {
  measure();
  const taken = longestMs;
  longestMs = 0;
  return taken;
}

function referenceMs(): number {
  const beforeMs = mainThreadMs();
  Object.keys(JSON.parse(referenceText) as object).sort();
  const tookMs = mainThreadMs() - beforeMs;
  lastMs = mainThreadMs();
  return tookMs;
}

function measure(): void {
  const nowMs = mainThreadMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}

/** The first number is the time on the CPU in nanoseconds. */
function mainThreadMs(): number {
  return Number.parseInt(readFileSync(schedulerFile, 'latin1'), 10) / 1e6;
}
