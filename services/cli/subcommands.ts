import { nearest } from '../shared/nearest.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import {
  jsonOption,
  type Options,
  type OptionValues,
  orgOption,
  parseOptions,
  rejectExtraArguments,
  required,
  singleArgument,
} from './arguments.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { type Listed, printList } from './print.ts';
import { withOrganisation } from './with-stores.ts';

type Subcommand = (args: readonly string[]) => Promise<number>;

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

/** --org is required where a command has it. */
type Values<T extends Options> = OptionValues<T> &
  (T extends { readonly org: unknown } ? { readonly org: string } : unknown);

/**
 * A command with these options and arguments: none, one (`NAME`), at most one (`[NAME]`), or one or more (`NAME…`). The
 * exit code is the number that `work` returns, by default 0.
 */
export function subcommand<const T extends Options>(
  options: T,
  argument: string | undefined,
  work: (values: Values<T>, argument: string, all: readonly string[]) => Promise<unknown>,
): Subcommand {
  return async (args) => {
    const { values, positionals } = parseOptions(args, options);
    const [first = '', ...more] = positionals;
    if (argument === undefined) rejectExtraArguments(positionals);
    if ('org' in options) required((values as { readonly org?: string }).org, 'org');
    if (argument?.startsWith('[')) rejectExtraArguments(more);
    else if (argument?.endsWith('…')) singleArgument([first], argument.slice(0, -1));
    else if (argument !== undefined) singleArgument(positionals, argument);
    const exitCode = await work(values as Values<T>, first, positionals);
    return typeof exitCode === 'number' ? exitCode : 0;
  };
}

/** The subcommand `list --org NAME [--json]` over one kind of an organisation's rows. */
export function listCommand<Column extends string>(
  columns: readonly Column[],
  listRows: (database: Database, organisationId: number) => Promise<Record<Column, Listed>[]>,
): Subcommand {
  return subcommand({ ...orgOption, ...jsonOption }, undefined, async ({ org, json }) =>
    withOrganisation(org, async ({ database, organisationId }) =>
      printList(columns, await listRows(database, organisationId), json),
    ),
  );
}
