import type { CompletedCommand } from './completed-commands.ts';

export function fishScript(commands: readonly CompletedCommand[]): string {
  return ['# fish completion for netpanel', ...commands.flatMap(linesOf)].join('\n');
}

function linesOf({ name, about, subcommands, options, values }: CompletedCommand): string[] {
  const inCommand = `complete -c netpanel -n '__fish_seen_subcommand_from ${name}'`;
  const first = [...subcommands, ...(values[''] ?? [])];
  return [
    `complete -c netpanel -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...(first.length === 0 ? [] : [`${inCommand} -a '${first.join(' ')}'`]),
    ...options.map((option) => {
      const words = values[option];
      const argument = words === undefined ? '' : ` -x -a '${words.join(' ')}'`;
      return `${inCommand} -l ${option.slice(2)}${argument}`;
    }),
  ];
}

/** Within single quotes fish has two escapes: a backslash before a backslash or a quote. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}
