/** Polls a condition until it is true, and throws after the timeout. */
export async function waitUntil(
  condition: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadlineMs)
      throw new Error(`the condition was still false after ${timeoutMs / 1000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
