import { nearest } from '../query/request/suggestion.ts';
import { UsageError } from './command.ts';

export type Subcommand = (args: readonly string[]) => Promise<number>;

/** Runs the subcommand named by the first argument: `netpanel org list`. */
export async function runSubcommand(
  args: readonly string[],
  subcommands: Readonly<Record<string, Subcommand>>,
): Promise<number> {
  const [name, ...rest] = args;
  const names = Object.keys(subcommands);
  const subcommand = name !== undefined && names.includes(name) ? subcommands[name] : undefined;
  if (subcommand === undefined) {
    const meant = name === undefined ? undefined : nearest(name, names);
    throw new UsageError(
      `The subcommand must be one of ${names.join(', ')}${name === undefined ? '' : `, not "${name}"`}` +
        (meant === undefined ? '' : `. Did you mean "${meant}"?`),
    );
  }
  return subcommand(rest);
}
