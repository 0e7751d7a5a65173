import { jsonOption } from './arguments.ts';
import type { Command } from './command.ts';
import { asUsageError } from './load/mapping-options.ts';
import { presetNames, readPreset } from '../load/mapping/mapping-file.ts';
import { printLine, printList } from './print.ts';
import { runSubcommand, subcommand } from './subcommands.ts';

export const presetsCommand: Command = {
  about: 'List the mapping files of netpanel, or print one',
  usage: `netpanel presets list [--json]
netpanel presets show NAME

show prints the mapping file that netpanel load --preset NAME uses. Save it, change it, and use it with
--mapping FILE.`,

  values: { '': presetNames() },

  run: (args) => runSubcommand(args, { list, show }),
};

const list = subcommand(jsonOption, undefined, ({ json }) => {
  const presets = presetNames().map((preset) => {
    const { test = '', source = '' } = readPreset(preset);
    return { preset, test, source };
  });
  printList(['preset', 'test', 'source'], presets, json);
  return Promise.resolve();
});

const show = subcommand({}, 'NAME', (_values, name) => {
  printLine(
    JSON.stringify(
      asUsageError(() => readPreset(name)),
      undefined,
      2,
    ),
  );
  return Promise.resolve();
});
