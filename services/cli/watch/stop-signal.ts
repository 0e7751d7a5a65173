/** Aborts at SIGTERM or SIGINT. A second signal ends the process at once. */
export function stopSignal(log: (line: string) => void): StopSignal {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    release();
    log(`${name}: stopping after the current file`);
    controller.abort();
  };
  const release = () => {
    for (const name of signals) process.off(name, stop);
  };
  for (const name of signals) process.on(name, stop);
  return { signal: controller.signal, release };
}

interface StopSignal {
  readonly signal: AbortSignal;
  /** Ends the handling of signals. */
  readonly release: () => void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;
