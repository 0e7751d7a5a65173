import { messagesOf } from '../../services/shared/errors/messages-of.ts';
import { banner } from './banner.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { ownStackOptions } from './stack-options.ts';

// `make run`: the stack in the foreground, until Ctrl-C.

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const stack = await spawnSupervisor(ownStackOptions(), print);
  print(banner(stack.env, stack.clickhouse));
  print('Ctrl-C stops everything.');
  const failure = await stack.ended;
  if (failure !== undefined) throw new Error(failure);
  print('\nStopped.');
} catch (error) {
  process.stderr.write(`${messagesOf(error)}\n`);
  process.exitCode = 1;
}
