import { runCommandLine } from '../../../services/cli/command-line.ts';

// Sample data for the local stack, tests and trials. It is not part of the production image:
//   make sample-panel, make sample-mba
process.exitCode = await runCommandLine(
  'sample',
  [
    { name: 'panel', load: async () => (await import('./panel-command.ts')).panelCommand },
    { name: 'mba', load: async () => (await import('./mba-command.ts')).mbaCommand },
  ],
  process.argv.slice(2),
);
