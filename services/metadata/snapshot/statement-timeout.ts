const minMs = 10_000;
const maxMs = 600_000;
/** Generous: on two cores the insert of 100,000 agents with three periods each takes 8 s. */
const msPerAgent = 0.5;

/**
 * Timeout of a ClickHouse statement. It grows with the number of agents and doubles after each failure,
 * because a retry starts from the beginning. An integer: AbortSignal.timeout refuses 10,000.5.
 */
export function statementTimeoutMs(agents: number, failures: number): number {
  return Math.min(Math.ceil((minMs + agents * msPerAgent) * 2 ** failures), maxMs);
}
