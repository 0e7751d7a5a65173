/** `netpanel NAME`. */
export interface Command {
  readonly name: string;
  /** One line for `netpanel help`. */
  readonly about: string;
  /** Options and arguments, for `netpanel help NAME`. */
  readonly usage: string;
  /** Returns the exit code. Throws a UsageError when the arguments are invalid. */
  run(args: readonly string[]): Promise<number>;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
