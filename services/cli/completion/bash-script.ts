import type { CompletedCommand } from './completed-commands.ts';

/** Works with bash 3.2, the one of macOS, without the package bash-completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# bash completion for netpanel
_netpanel() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$previous" = help ]; }; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --version --help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [ -z "$words" ]; then
    case "\${COMP_WORDS[1]}" in
${commands.map(commandCase).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _netpanel netpanel`;
}

function valueCases({ name, values }: CompletedCommand): string[] {
  return Object.entries(values)
    .filter(([option]) => option !== '')
    .map(([option, words]) => `    "${name} ${option}") words="${words.join(' ')}" ;;`);
}

/** Subcommands and values of arguments are offered as the first word, options everywhere. */
function commandCase({ name, subcommands, options, values }: CompletedCommand): string {
  const first = [...subcommands, ...(values[''] ?? [])].join(' ');
  const atFirst = first === '' ? '' : `; [ "$COMP_CWORD" -eq 2 ] && words="${first} $words"`;
  return `      ${name}) words="${options.join(' ')}"${atFirst} ;;`;
}
