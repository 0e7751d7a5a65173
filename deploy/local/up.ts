import { messagesOf } from '../../services/shared/errors/messages-of.ts';
import { localStack } from '../../services/shared/local-stack.ts';
import { banner } from './banner.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { ownStackOptions } from './stack-options.ts';
import { recordSupervisor, runningSupervisor } from './supervisor-pid.ts';

// `make up`: the stack in the background; returns when both services are ready.

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const options = ownStackOptions();
  if (runningSupervisor(options.stateDir) === undefined) {
    const stack = await spawnSupervisor(options, print);
    recordSupervisor(options.stateDir, stack.pid);
    print(banner(stack.env, stack.clickhouse));
    stack.detach();
  } else {
    print(
      `The stack is already running: its addresses and tokens are in ${localStack.shownFolder}/env.`,
    );
  }
  print(`${localStack.command} down stops it.`);
} catch (error) {
  process.stderr.write(`${messagesOf(error)}\n`);
  process.exitCode = 1;
}
