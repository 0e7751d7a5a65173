import { singleArgument } from './arguments.ts';
import { type Command, type NamedCommand, UsageError } from './command.ts';
import { bashScript } from './completion/bash-script.ts';
import { completedCommands } from './completion/completed-commands.ts';
import { fishScript } from './completion/fish-script.ts';
import { zshScript } from './completion/zsh-script.ts';
import { printLine } from './print-line.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;

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
    values: { '': Object.keys(scripts) },

    async run(args) {
      const shell = singleArgument(args, 'SHELL');
      if (!Object.hasOwn(scripts, shell)) {
        throw new UsageError(`SHELL must be ${Object.keys(scripts).join(', ')}, not "${shell}"`);
      }
      printLine(scripts[shell as Shell](await completedCommands(commands)));
      return 0;
    },
  };
}
