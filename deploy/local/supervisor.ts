import { type Stack, startStack } from './start-stack.ts';
import type { StackOptions } from './stack-options.ts';

// The process that owns a local stack. Its only argument is StackOptions as JSON. It runs in its own
// session, so that Ctrl-C reaches only the process that started it.

/** A message of the supervisor to the process that started it. */
export type SupervisorMessage =
  | { readonly progress: string }
  | { readonly ready: Pick<Stack, 'env' | 'clickhouse'> }
  | { readonly failed: string };

let starting: Promise<Stack> | undefined;
let isStopping = false;

process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// The stack stops when `make run` or a test ends, even when it is killed. `make up` sends "detach" when
// the stack is ready.
process.on('message', (message) => {
  if (message === 'detach') process.off('disconnect', stopOnDisconnect);
});
process.on('disconnect', stopOnDisconnect);

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

function stopOnDisconnect(): void {
  void stop();
}

async function stop(exitCode = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  // A stop during the start waits for the end of the start.
  const stack = await starting?.catch(() => undefined);
  await stack?.stop();
  process.exit(exitCode);
}

function send(message: SupervisorMessage): void {
  if (process.connected) process.send?.(message);
}
