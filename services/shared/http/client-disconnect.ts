import type { Response } from 'express';

/** Aborts with a ClientDisconnectedError if the client disconnects before the response is complete. */
export function clientDisconnect(res: Response): AbortController {
  const controller = new AbortController();
  const onClose = () => {
    if (!res.writableFinished) controller.abort(new ClientDisconnectedError());
  };
  if (res.destroyed) onClose();
  else res.once('close', onClose);
  return controller;
}

/** What `wait` resolves with. Undefined if the client disconnects before that: there is no response to send. */
export async function whileConnected<T>(
  res: Response,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const { signal } = clientDisconnect(res);
  try {
    return await wait(signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Not an error of the service. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('The client disconnected before the response was complete');
    this.name = 'ClientDisconnectedError';
  }
}
