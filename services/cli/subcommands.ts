import { UsageError } from './command.ts';

export type Subcommand = (args: readonly string[]) => Promise<number>;

/** Runs the word after the command: `netpanel org list`. */
export async function runSubcommand(
  args: readonly string[],
  subcommands: Readonly<Record<string, Subcommand>>,
): Promise<number> {
  const [word, ...rest] = args;
  const names = Object.keys(subcommands);
  const subcommand = word !== undefined && names.includes(word) ? subcommands[word] : undefined;
  if (subcommand === undefined) {
    throw new UsageError(
      `${word === undefined ? 'Say' : `"${word}" is not`} one of ${names.join(', ')}`,
    );
  }
  return subcommand(rest);
}
