import { withTimeout } from '../shared/with-timeout.ts';
import { rejectExtraArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { readCliConfig } from './config.ts';
import { type Check, doctorChecks } from './doctor/checks.ts';
import { withStores } from './with-stores.ts';
import { printLine } from './print-line.ts';

export const doctorCommand: Command = {
  about: 'Check a deployment, and suggest a fix for each problem',
  usage: `netpanel doctor

Checks that databases are reachable, versions supported, schemas up to date, row-level security in
force, dictionaries loaded, metadata published, the object store writable and clocks synchronised.
Prints one line per check. The exit code is 1 when a check fails.`,

  async run(args) {
    rejectExtraArguments(args);
    return withStores(async (database, clickhouse) => {
      let isHealthy = true;
      for (const check of doctorChecks(database, clickhouse, readCliConfig())) {
        isHealthy = (await runCheck(check)) && isHealthy;
      }
      return isHealthy ? 0 : 1;
    });
  },
};

async function runCheck({ name, run, remedy }: Check): Promise<boolean> {
  try {
    printLine(`ok      ${name}: ${await withTimeout(checkTimeoutMs, run())}`);
    return true;
  } catch (error) {
    printLine(`not ok  ${name}: ${firstLine(error)}\n        → ${remedy}`);
    return false;
  }
}

const checkTimeoutMs = 15_000;

// The AggregateError of a refused connection has an empty message.
function firstLine(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (inner instanceof Error ? inner.message : String(inner)).split('\n', 1)[0] ?? '';
}
