import type { CompletedCommand } from './completed-commands.ts';

export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef netpanel
_netpanel() {
  local -a offered
  if (( CURRENT == 2 )) || [[ CURRENT -eq 3 && $words[2] == help ]]; then
    offered=(${commands.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ')} 'help:Show the options of a command')
    _describe command offered
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if (( ! $#offered )); then
    case "$words[2]" in
${commands.map(commandCase).join('\n')}
    esac
  fi
  compadd -a offered
  _files
}
compdef _netpanel netpanel`;
}

function valueCases({ name, values }: CompletedCommand): string[] {
  return Object.entries(values)
    .filter(([option]) => option !== '')
    .map(([option, words]) => `    "${name} ${option}") offered=(${words.join(' ')}) ;;`);
}

function commandCase({ name, subcommands, options, values }: CompletedCommand): string {
  const first = [...subcommands, ...(values[''] ?? [])].join(' ');
  const atFirst = first === '' ? '' : `; (( CURRENT == 3 )) && offered=(${first} $offered)`;
  return `      ${name}) offered=(${options.join(' ')})${atFirst} ;;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
