/** Prints one line below the test title: what was sent and the count of each status. */
export function printStatusCounts(what: string, statuses: ReadonlyMap<number, number>): void {
  const sorted = [...statuses].sort(([a], [b]) => a - b);
  const text = sorted.map(([status, count]) => `${status}: ${count}`).join(', ');
  process.stdout.write(`        ${what}: ${text}\n`);
}
