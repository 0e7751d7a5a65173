// Filled by the local stack: one stack for the whole run, started by the first test that asks.
export function stopLocalStack(): Promise<void> {
  return Promise.resolve();
}
