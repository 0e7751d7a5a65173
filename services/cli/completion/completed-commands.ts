import type { Command, NamedCommand } from '../command.ts';

export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly subcommands: readonly string[];
  /** With dashes: `--format`. */
  readonly options: readonly string[];
  /** Values by option; those of arguments under the empty name. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** What a shell can complete. Options and subcommands come from the usage texts, which users read as well. */
export function completedCommands(
  commands: readonly NamedCommand[],
): Promise<readonly CompletedCommand[]> {
  return Promise.all(
    commands.map(async ({ name, load }) => {
      const command = await load();
      return {
        name,
        about: command.about,
        subcommands: subcommandsOf(name, command),
        options: [
          ...new Set([...(command.usage.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []), '--help']),
        ],
        values: command.values ?? {},
      };
    }),
  );
}

/** The words after the name of the command in the first lines: `netpanel org add NAME`. */
function subcommandsOf(name: string, { usage }: Command): readonly string[] {
  const [synopsis = ''] = usage.split('\n\n', 1);
  const words = [...synopsis.matchAll(new RegExp(`^netpanel ${name} ([a-z]+)(?= |$)`, 'gm'))];
  return [...new Set(words.map(([, word = '']) => word))];
}
