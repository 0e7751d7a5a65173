import { withTimeout } from '../shared/with-timeout.ts';
import { jsonOption } from './arguments.ts';
import type { Command } from './command.ts';
import { readCliConfig } from './config.ts';
import { type Check, doctorChecks } from './doctor/checks.ts';
import { subcommand } from './subcommands.ts';
import { withStores } from './with-stores.ts';
import { printLine } from './print.ts';
import { styleFor } from './terminal/style.ts';

export const doctorCommand: Command = {
  about: 'Check a deployment, and suggest a fix for each problem',
  usage: `netpanel doctor [--json]

Checks that databases are reachable, versions supported, schemas up to date, row-level security in
force, dictionaries loaded, metadata published, the object store writable and clocks synchronised.
Prints one line per check, with --json one object: {"healthy", "checks": [{"name", "ok", "details", "remedy"}]}. The
exit code is 1 when a check fails.`,

  run: subcommand(jsonOption, undefined, ({ json }) =>
    withStores(async ({ database, clickhouse }) => {
      const results: CheckResult[] = [];
      for (const check of doctorChecks(database, clickhouse, readCliConfig())) {
        const result = await runCheck(check);
        results.push(result);
        if (!json) printCheck(result);
      }
      const healthy = results.every(({ ok }) => ok);
      if (json) printLine(JSON.stringify({ healthy, checks: results }, null, 2));
      return healthy ? 0 : 1;
    }),
  ),
};

interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly details: string;
  /** Only of a failed check. */
  readonly remedy?: string;
}

async function runCheck({ name, run, remedy }: Check): Promise<CheckResult> {
  try {
    return { name, ok: true, details: await withTimeout(checkTimeoutMs, run()) };
  } catch (error) {
    return { name, ok: false, details: firstLine(error), remedy };
  }
}

function printCheck({ name, ok, details, remedy = '' }: CheckResult): void {
  const style = styleFor(process.stdout);
  printLine(
    ok
      ? `${style('ok', 'green')}      ${name}: ${details}`
      : `${style('not ok', 'red')}  ${name}: ${details}\n        → ${remedy}`,
  );
}

const checkTimeoutMs = 15_000;

// The AggregateError of a refused connection has an empty message.
function firstLine(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return (inner instanceof Error ? inner.message : String(inner)).split('\n', 1)[0] ?? '';
}
