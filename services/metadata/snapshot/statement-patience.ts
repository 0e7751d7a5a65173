const shortestMs = 10_000;
const longestMs = 600_000;
/** Several times what the slowest statement was seen to take on a busy machine of two cores. */
const msPerAgent = 0.5;

/**
 * How long one statement of ClickHouse may take before its connection counts as lost. A large panel
 * gets its time at once: one that were cut off would have to begin anew. Twice that after each failure.
 */
export function statementPatienceMs(agents: number, failures: number): number {
  return Math.min((shortestMs + agents * msPerAgent) * 2 ** failures, longestMs);
}
