/** One line below the test's name: what was sent and how often each status came back. */
export function tell(what: string, statuses: ReadonlyMap<number, number>): void {
  const counted = [...statuses].sort(([a], [b]) => a - b);
  const text = counted.map(([status, count]) => `${status}: ${count}`).join(', ');
  process.stdout.write(`        ${what}: ${text}\n`);
}
