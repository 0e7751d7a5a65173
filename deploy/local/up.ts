import { banner } from './banner.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { ownStackOptions } from './stack-options.ts';
import { rememberSupervisor, runningSupervisor } from './supervisor-pid.ts';

// `make up`: the stack in the background; returns when both services are ready.

const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const options = ownStackOptions();
  if (runningSupervisor(options.stateDir) === undefined) {
    const stack = await spawnSupervisor(options, say);
    rememberSupervisor(options.stateDir, stack.pid);
    say(banner(stack.env, stack.clickhouse));
    stack.letGo();
  } else {
    say('The stack is up already: its addresses and tokens are in .local/env.');
  }
  say('make down stops it.');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
