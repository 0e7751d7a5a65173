import { noMoreWords } from './arguments.ts';
import type { Command } from './command.ts';
import { type Check, doctorChecks } from './doctor/checks.ts';
import { withStores } from './with-stores.ts';
import { tell } from './tell.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'Check a deployment, and say what to do where something is wrong',
  usage: `netpanel doctor

Databases reachable, versions supported, schemas up to date, dictionaries loaded, metadata published,
object store writable, clocks in agreement: one line each. Ends with 1 when something is wrong.`,

  async run(args) {
    noMoreWords(args);
    return withStores(async (database, clickhouse) => {
      let isWell = true;
      for (const check of doctorChecks(database, clickhouse)) {
        isWell = (await examine(check)) && isWell;
      }
      return isWell ? 0 : 1;
    });
  },
};

async function examine({ name, find, remedy }: Check): Promise<boolean> {
  try {
    tell(`ok      ${name}: ${await within(find(), checkTimeoutMs)}`);
    return true;
  } catch (error) {
    tell(`not ok  ${name}: ${firstLine(error)}\n        → ${remedy}`);
    return false;
  }
}

const checkTimeoutMs = 15_000;

async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

// An AggregateError of a refused connection has no message of its own.
function firstLine(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (inner instanceof Error ? inner.message : String(inner)).split('\n', 1)[0] ?? '';
}
