import type { Response } from 'express';

/** Aborts with a ClientDisconnectedError when the client closes the connection before the response is complete. */
export function clientDisconnect(res: Response): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!res.writableFinished) controller.abort(new ClientDisconnectedError());
  };
  if (res.destroyed) onClose();
  else res.once('close', onClose);
  return controller.signal;
}

/** Not a fault of the service: nobody reads the response any more. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('The client disconnected before the response was complete');
    this.name = 'ClientDisconnectedError';
  }
}
