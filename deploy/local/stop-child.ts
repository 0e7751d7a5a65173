import type { ChildProcess } from 'node:child_process';

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Resolves when a child process has ended, with `SIGKILL` or `exit code 1`. */
export function endOf(child: ChildProcess): Promise<string> {
  const describe = (code: number | null, signal: string | null) => signal ?? `exit code ${code}`;
  if (hasEnded(child)) return Promise.resolve(describe(child.exitCode, child.signalCode));
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(describe(code, signal)));
  });
}

/** Asks a child process to stop and waits for its end. */
export async function stopChild(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM',
): Promise<void> {
  if (hasEnded(child)) return;
  const ended = endOf(child);
  child.kill(signal);
  await ended;
}
