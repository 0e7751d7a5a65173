import { spawnNetpanel } from './netpanel.ts';
import { waitUntil } from './wait-until.ts';

/** A process of netpanel watch. */
export interface Watcher {
  /** Standard error so far. */
  log(): string;
  /** Waits until the log contains a text. */
  logged(text: string): Promise<void>;
  /** Sends the signal, and returns the exit code: null if the signal ended the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

/** Starts netpanel watch, and waits until it watches. */
export async function startWatcher(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Watcher> {
  const seconds = ['--interval-seconds', '1', '--settle-seconds', '0'];
  const child = spawnNetpanel({ env }, 'watch', ...seconds, ...args);
  let log = '';
  let hasEnded = false;
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true;
      resolve(code);
    });
  });
  const watcher = {
    log: () => log,
    logged: (text: string) =>
      waitUntil(() => {
        if (log.includes(text)) return Promise.resolve(true);
        if (hasEnded) throw new Error(`netpanel watch ended without "${text}": ${log}`);
        return Promise.resolve(false);
      }),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
  await watcher.logged('watching ');
  return watcher;
}
