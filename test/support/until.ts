/** Waits for something that happens soon, and fails when it does not. */
export async function until(holds: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadlineMs = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadlineMs)
      throw new Error(`it did not come to pass within ${withinMs / 1000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
