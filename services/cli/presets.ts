import { parseOptions, singleArgument } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { MappingError } from './load/mapping/expression.ts';
import { presetNames, readPreset } from './load/mapping/mapping-file.ts';
import { printLine } from './print-line.ts';
import { printList } from './print-list.ts';
import { runSubcommand } from './subcommands.ts';

export const presetsCommand: Command = {
  about: 'List the mapping files of netpanel, or print one',
  usage: `netpanel presets list [--json]
netpanel presets show NAME

show prints the mapping file that netpanel load --preset NAME uses. Save it, change it, and use it with
--mapping FILE.`,

  values: { '': presetNames() },

  run: (args) => runSubcommand(args, { list, show }),
};

function list(args: readonly string[]): Promise<number> {
  const { values } = parseOptions(args, { json: { type: 'boolean', default: false } });
  const presets = presetNames().map((preset) => {
    const { test = '', source = '' } = readPreset(preset);
    return { preset, test, source };
  });
  printList(['preset', 'test', 'source'], presets, values.json);
  return Promise.resolve(0);
}

function show(args: readonly string[]): Promise<number> {
  const { positionals } = parseOptions(args, {});
  const name = singleArgument(positionals, 'NAME');
  try {
    printLine(JSON.stringify(readPreset(name), undefined, 2));
  } catch (error) {
    if (error instanceof MappingError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  return Promise.resolve(0);
}
