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

/** Not an error of the service. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('The client disconnected before the response was complete');
    this.name = 'ClientDisconnectedError';
  }
}
