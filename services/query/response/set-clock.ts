import type { Response } from 'express';

const clocks = { metric_data: 'agent-local', test_data: 'UTC' } as const;

/** States the clock of the times in a response: metrics use the local time of each agent. */
export function setClock(res: Response, kind: keyof typeof clocks): void {
  res.set('Netpanel-Clock', clocks[kind]);
}
