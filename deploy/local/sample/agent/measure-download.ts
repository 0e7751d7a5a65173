import { request } from 'node:http';
import type { TestServer } from './test-server.ts';

/** Columns of the test httpget. */
export interface Download {
  readonly fetch_time: number;
  readonly bytes_total: number;
  readonly bytes_sec: number;
  readonly warmup_time: number;
  readonly warmup_bytes: number;
  readonly threads: number;
  readonly successes: number;
  readonly failures: number;
}

/** Downloads with several connections for a time, and counts the bytes after the warm-up. */
export async function measureDownload(
  { host, httpPort }: TestServer,
  { threads = 3, warmupMs = 500, measureMs = 2_000 } = {},
): Promise<Download> {
  const bytes = { warmup: 0, measured: 0 };
  let isWarm = false;
  const stop = new AbortController();
  const connections = Array.from(
    { length: threads },
    () =>
      new Promise<boolean>((resolve) => {
        let hasReceived = false;
        const get = request({ host, port: httpPort, signal: stop.signal }, (response) => {
          response.on('data', ({ length }: Buffer) => {
            hasReceived = true;
            bytes[isWarm ? 'measured' : 'warmup'] += length;
          });
          response.on('close', () => resolve(hasReceived));
          response.on('error', () => resolve(hasReceived));
        });
        get.on('error', () => resolve(hasReceived));
        get.end();
      }),
  );
  await pause(warmupMs);
  isWarm = true;
  const startedMs = performance.now();
  await pause(measureMs);
  const tookMs = performance.now() - startedMs;
  const { warmup, measured } = bytes;
  stop.abort();
  const isComplete = (await Promise.all(connections)).every(Boolean);
  return {
    fetch_time: Math.round(tookMs * 1000),
    bytes_total: measured,
    bytes_sec: Math.round((measured * 1000) / tookMs),
    warmup_time: Math.round(warmupMs * 1000),
    warmup_bytes: warmup,
    threads,
    successes: isComplete ? 1 : 0,
    failures: isComplete ? 0 : 1,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
