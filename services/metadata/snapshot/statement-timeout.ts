const shortestMs = 10_000;
const longestMs = 600_000;
/** With room to spare: on two cores the insert alone takes 8 s for 100,000 agents of three periods. */
const msPerAgent = 0.5;

/**
 * Timeout of one ClickHouse statement. It grows with the panel, since a statement that is cut off
 * starts anew, and doubles after each failure.
 */
export function statementTimeoutMs(agents: number, failures: number): number {
  return Math.min((shortestMs + agents * msPerAgent) * 2 ** failures, longestMs);
}
