/** `netpanel NAME`. */
export interface Command {
  /** One line for `netpanel help`. */
  readonly about: string;
  /** Options and arguments, for `netpanel help NAME`. */
  readonly usage: string;
  /** For shell completion: the values of an option by its name, such as `--format`; those of arguments under ``. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Returns the exit code. Throws a UsageError when the arguments are invalid. */
  run(args: readonly string[]): Promise<number>;
}

/** A command whose modules are not loaded yet. */
export interface NamedCommand {
  readonly name: string;
  readonly load: () => Promise<Command>;
}
