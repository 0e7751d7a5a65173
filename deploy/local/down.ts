import { setTimeout as sleep } from 'node:timers/promises';
import { ownStackOptions } from './stack-options.ts';
import { forgetSupervisor, runningSupervisor } from './supervisor-pid.ts';

// `make down`: stops the stack of `make up` and waits for its end.

const { stateDir } = ownStackOptions();
const pid = runningSupervisor(stateDir);
if (pid === undefined) {
  process.stdout.write('Nothing to stop: no stack is running in the background.\n');
} else {
  process.kill(pid, 'SIGTERM');
  while (runningSupervisor(stateDir) === pid) await sleep(100);
  process.stdout.write('Stopped.\n');
}
forgetSupervisor(stateDir);
