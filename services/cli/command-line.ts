import { nearest } from '../shared/nearest.ts';
import { SettingsError } from '../shared/config/read-settings.ts';
import { productVersion } from '../shared/product-version.ts';
import type { NamedCommand } from './command.ts';
import { InvalidInput } from '../shared/errors/invalid-input.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { printLine, printNote } from './print.ts';
import { styleFor } from './terminal/style.ts';

/** Runs the command named by the first argument. Returns the exit code: 2 for invalid arguments or settings. */
export async function runCommandLine(
  program: string,
  commands: readonly NamedCommand[],
  [name = 'help', ...args]: readonly string[],
): Promise<number> {
  const isHelp = (word: string) => ['--help', '-h'].includes(word);
  const wanted = name === 'help' || isHelp(name) ? args[0] : name;
  const command = await commands.find((candidate) => candidate.name === wanted)?.load();
  if (name === 'help' || isHelp(name) || (command !== undefined && args.some(isHelp))) {
    printLine(command?.usage ?? (await overview(program, commands)));
    return 0;
  }
  if (name === '--version' || name === '-V') {
    printLine(`${program} ${productVersion()}`);
    return 0;
  }
  if (command === undefined) {
    const meant = nearest(
      name,
      commands.map((candidate) => candidate.name),
    );
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return fail(
      2,
      `${problem(`Unknown command "${name}".${hint}`)}\n\n${await overview(program, commands)}`,
    );
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError)
      return fail(2, `${problem(error.message)}\n\n${command.usage}`);
    if (error instanceof SettingsError || error instanceof InvalidInput)
      return fail(2, problem(error.message));
    return fail(1, problem(withCauses(error)));
  }
}

async function overview(program: string, commands: readonly NamedCommand[]): Promise<string> {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = await Promise.all(
    commands.map(async ({ name, load }) => {
      const { about } = await load();
      return `  ${program} ${name.padEnd(width)}  ${about}`;
    }),
  );
  return [
    'Usage:',
    ...lines,
    '',
    `${program} help COMMAND shows the options of a command, ${program} --version the version.`,
  ].join('\n');
}

/** The first line of an error message, in red on a terminal. */
function problem(message: string): string {
  const [first = '', ...more] = message.split('\n');
  return [styleFor(process.stderr)(first, 'red'), ...more].join('\n');
}

function fail(exitCode: number, message: string): number {
  printNote(message);
  return exitCode;
}

/** The message and its causes, one line each, without stack traces. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  return error.cause === undefined ? own : `${own}\n  because: ${withCauses(error.cause)}`;
}
