import { setTimeout as sleep } from 'node:timers/promises';

const firstPauseMs = 20;
// A condition can be a query, which takes CPU time from what the test waits for.
const longestPauseMs = 250;

/** Polls a condition until it is true, first at short intervals, and throws after the timeout. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  let pauseMs = firstPauseMs;
  while (!(await condition())) {
    if (Date.now() > deadlineMs)
      throw new Error(`the condition was still false after ${timeoutMs / 1000} seconds`);
    await sleep(pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 1.5);
  }
}
