import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownStackOptions } from './stack-options.ts';
import { forgetSupervisor, runningSupervisor } from './supervisor-pid.ts';

// `make down`: stops what `make up` started, and waits until it is gone.

const { stateDir } = ownStackOptions();
const pid = runningSupervisor(stateDir);
if (pid === undefined) {
  process.stdout.write('Nothing to stop: no stack of make up is running.\n');
} else {
  process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}`)) await sleep(100);
  process.stdout.write('Stopped.\n');
}
forgetSupervisor(stateDir);
