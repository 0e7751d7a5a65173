import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '../shared/nearest.ts';
import { UsageError } from '../shared/errors/usage-error.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>
>;

/** The values of options that parseOptions has parsed. */
export type OptionValues<T extends Options> = Parsed<T>['values'];

/** Options that many commands have. */
export const orgOption = { org: { type: 'string' } } as const;
export const jsonOption = { json: { type: 'boolean', default: false } } as const;

/** Parses the arguments after a command. Throws a UsageError for an unknown option. */
export function parseOptions<const T extends Options>(
  args: readonly string[],
  options: T,
): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(unknownOption(error, Object.keys(options)) ?? (error as Error).message);
  }
}

/** Node's own message is about positional arguments that begin with a dash. */
function unknownOption(error: unknown, names: readonly string[]): string | undefined {
  if ((error as { code?: string }).code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return undefined;
  const given = /'(-[^']*)'/.exec((error as Error).message)?.[1] ?? '';
  const meant = nearest(given.replace(/^-+/, ''), names);
  return `Unknown option ${given}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`;
}

/** The one argument of `add NAME`. */
export function singleArgument(args: readonly string[], name: string): string {
  const [arg, ...more] = args;
  if (arg === undefined || arg === '') throw new UsageError(`${name} is missing`);
  rejectExtraArguments(more);
  return arg;
}

export function rejectExtraArguments(args: readonly string[]): void {
  if (args.length > 0) throw new UsageError(`Unexpected argument: ${args.join(' ')}`);
}

export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${option} is missing`);
  return value;
}

/** The value, if it is one of these words. */
export function oneOf<T extends string>(text: string, words: readonly T[], name: string): T {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(`${name} must be one of ${words.join(', ')}, not "${text}"`);
}

/** A privacy floor. */
export function minimumOfAgents(text: string, name: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 2 && value <= 1_000_000) return value;
  throw new UsageError(`${name} must be a number of agents from 2 to 1000000, not "${text}"`);
}

/** `2026-11-15` is 00:00 UTC of that day. Fractions of a second are dropped. */
export function instant(text: string, option: string): Date {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms))
    throw new UsageError(`--${option} must be a date such as 2026-11-15, not "${text}"`);
  return new Date(Math.floor(ms / 1000) * 1000);
}

/** 00:00 UTC of the day: the default of --from. */
export function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
