import type { Erasure } from './erasure.ts';

/** An erasure in a response and in the output of the command line. */
export function erasureResponse(erasure: Erasure) {
  const { id, agentKeys, stepsDone, report, waitingFor, createdAt, endedAt } = erasure;
  return {
    id,
    state: endedAt === null ? 'running' : 'done',
    statusUrl: `/erasures/${id}`,
    agents: agentKeys.length,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    stepsDone,
    waitingFor,
    report,
  };
}
