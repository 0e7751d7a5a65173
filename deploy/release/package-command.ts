import { installPackage } from '../local/install-package.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

// Started by netpanel.cjs in the package netpanel-local: `npx ./netpanel-local-0.2.0.tgz up`. Its dependencies are
// installed first, so only modules that need none may be imported before.

const stackCommands: Readonly<Record<string, string>> = {
  up: '../local/up.js',
  down: '../local/down.js',
  run: '../local/run.js',
};

const [command = 'help'] = process.argv.slice(2);
if (command === 'help' || command === '--help') {
  process.stdout.write(`The local stack, with its data in ~/.netpanel:
  up    Start everything in the background, with a sample panel
  run   Start the same in the foreground; Ctrl-C stops it
  down  Stop the stack of up

`);
}
await installPackage(repositoryRoot);
await import(stackCommands[command] ?? '../../services/cli/netpanel.js');
