import { type Stack, startStack } from './start-stack.ts';
import type { StackOptions } from './stack-options.ts';

// The process that owns a local stack: its only argument is StackOptions as JSON. It runs in a
// session of its own, so that Ctrl-C reaches the process that started it and not all its parts at once.

/** A message of the supervisor to the process that started it. */
export type SupervisorMessage =
  | { readonly progress: string }
  | { readonly ready: Pick<Stack, 'env' | 'clickhouse'> }
  | { readonly failed: string };

let starting: Promise<Stack> | undefined;
let isStopping = false;

process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// `make run` and the tests hold the line until they end, however they end; `make up` lets go of it
// on purpose once the stack is ready.
process.on('message', (message) => {
  if (message === 'stay') process.off('disconnect', stopWhenAlone);
});
process.on('disconnect', stopWhenAlone);

await main();

async function main(): Promise<void> {
  try {
    const options = JSON.parse(process.argv[2] ?? '{}') as StackOptions;
    starting = startStack(options, (progress) => send({ progress }));
    const stack = await starting;
    send({ ready: { env: stack.env, clickhouse: stack.clickhouse } });
    await stack.broken;
  } catch (error) {
    send({ failed: (error as Error).message });
    await stop(1);
  }
}

function stopWhenAlone(): void {
  void stop();
}

async function stop(exitCode = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  // A stop in the middle of starting waits for the start to end, one way or the other.
  const stack = await starting?.catch(() => undefined);
  await stack?.stop();
  process.exit(exitCode);
}

function send(message: SupervisorMessage): void {
  if (process.connected) process.send?.(message);
}
