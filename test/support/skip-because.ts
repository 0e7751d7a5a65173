import type { Context } from 'mocha';

/** Skips the tests of a hook's suite, or the current test, and prints the reason: mocha's own output has none. */
export function skipBecause(context: Context, reason: string): never {
  process.stdout.write(`  skipped: ${reason}\n`);
  return context.skip();
}
