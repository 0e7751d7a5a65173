import { withTimeout } from '../shared/with-timeout.ts';
import { rejectExtraArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { readCliConfig } from './config.ts';
import { type Check, doctorChecks } from './doctor/checks.ts';
import { withStores } from './with-stores.ts';
import { printLine } from './print-line.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'Check a deployment, and say what to do where something is wrong',
  usage: `netpanel doctor

Databases reachable, versions supported, schemas up to date, dictionaries loaded, metadata published,
object store writable, clocks in agreement: one line each. Ends with 1 when something is wrong.`,

  async run(args) {
    rejectExtraArguments(args);
    return withStores(async (database, clickhouse) => {
      let isWell = true;
      for (const check of doctorChecks(database, clickhouse, readCliConfig())) {
        isWell = (await examine(check)) && isWell;
      }
      return isWell ? 0 : 1;
    });
  },
};

async function examine({ name, find, remedy }: Check): Promise<boolean> {
  try {
    printLine(`ok      ${name}: ${await withTimeout(checkTimeoutMs, find())}`);
    return true;
  } catch (error) {
    printLine(`not ok  ${name}: ${firstLine(error)}\n        → ${remedy}`);
    return false;
  }
}

const checkTimeoutMs = 15_000;

// An AggregateError of a refused connection has no message of its own.
function firstLine(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (inner instanceof Error ? inner.message : String(inner)).split('\n', 1)[0] ?? '';
}
