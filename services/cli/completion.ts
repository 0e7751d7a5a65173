import { oneOf } from './arguments.ts';
import type { Command, NamedCommand } from './command.ts';
import { printLine } from './print.ts';
import { subcommand } from './subcommands.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
const shells = Object.keys(scripts) as (keyof typeof scripts)[];

/** Takes the list of commands, because it is in the list itself. */
export function completionCommand(commands: readonly NamedCommand[]): Command {
  return {
    about: 'Print a script that completes commands and options in a shell',
    usage: `netpanel completion bash|zsh|fish

Completes commands, subcommands, options and some of their values, and files elsewhere.

  source <(netpanel completion bash)                                        # in ~/.bashrc
  netpanel completion zsh > "\${fpath[1]}/_netpanel"
  netpanel completion fish > ~/.config/fish/completions/netpanel.fish

In a checkout of netpanel, make the program available first: alias netpanel="npx netpanel".`,
    values: { '': shells },

    run: subcommand({}, 'SHELL', async (_values, text) => {
      const shell = oneOf(text, shells, 'SHELL');
      printLine(scripts[shell](await completedCommands(commands)));
    }),
  };
}

interface CompletedCommand {
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

/** Works with bash 3.2, the one of macOS, without the package bash-completion. */
function bashScript(commands: readonly CompletedCommand[]): string {
  return `# bash completion for netpanel
_netpanel() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$previous" = help ]; }; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --version --help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${valueCases(commands, bash)}
  esac
  if [ -z "$words" ]; then
    case "\${COMP_WORDS[1]}" in
${commandCases(commands, bash)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _netpanel netpanel`;
}

/** What differs between the `case` statements of bash and zsh. */
interface CaseSyntax {
  readonly set: (words: string) => string;
  /** The words that are set. */
  readonly known: string;
  readonly isFirstWord: string;
}

const bash: CaseSyntax = {
  set: (words) => `words="${words}"`,
  known: '$words',
  isFirstWord: '[ "$COMP_CWORD" -eq 2 ]',
};
const zsh: CaseSyntax = {
  set: (words) => `offered=(${words})`,
  known: '$offered',
  isFirstWord: '(( CURRENT == 3 ))',
};

function valueCases(commands: readonly CompletedCommand[], { set }: CaseSyntax): string {
  return commands
    .flatMap(({ name, values }) =>
      Object.entries(values)
        .filter(([option]) => option !== '')
        .map(([option, words]) => `    "${name} ${option}") ${set(words.join(' '))} ;;`),
    )
    .join('\n');
}

/** Subcommands and values of arguments are offered as the first word, options everywhere. */
function commandCases(commands: readonly CompletedCommand[], syntax: CaseSyntax): string {
  const { set, known, isFirstWord } = syntax;
  return commands
    .map(({ name, subcommands, options, values }) => {
      const first = [...subcommands, ...(values[''] ?? [])].join(' ');
      const atFirst = first === '' ? '' : `; ${isFirstWord} && ${set(`${first} ${known}`)}`;
      return `      ${name}) ${set(options.join(' '))}${atFirst} ;;`;
    })
    .join('\n');
}

function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef netpanel
_netpanel() {
  local -a offered
  if (( CURRENT == 2 )) || [[ CURRENT -eq 3 && $words[2] == help ]]; then
    offered=(${commands.map(({ name, about }) => `'${name}:${about.replaceAll("'", `'\\''`)}'`).join(' ')} 'help:Show the options of a command')
    _describe command offered
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${valueCases(commands, zsh)}
  esac
  if (( ! $#offered )); then
    case "$words[2]" in
${commandCases(commands, zsh)}
    esac
  fi
  compadd -a offered
  _files
}
compdef _netpanel netpanel`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
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
