const shortestMs = 10_000;
const longestMs = 600_000;
/** With room to spare: on two cores the insert alone takes 8 s for 100,000 agents of three stretches. */
const msPerAgent = 0.5;

/**
 * How long one statement of ClickHouse may take before its connection counts as lost. A large panel
 * gets its time at once, since one that is cut off begins anew. Twice that after each failure.
 */
export function statementPatienceMs(agents: number, failures: number): number {
  return Math.min((shortestMs + agents * msPerAgent) * 2 ** failures, longestMs);
}
