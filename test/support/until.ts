/** Waits for something that happens soon, and fails when it does not. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadlineMs) throw new Error('it did not come to pass within 10 seconds');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
