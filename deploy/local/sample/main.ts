import { runCommandLine } from '../../../services/cli/command-line.ts';

// Sample data for the local stack, tests and trials. It is not part of the production image:
//   make sample-panel, make sample-mba, make sample-agent
process.exitCode = await runCommandLine(
  'sample',
  [
    { name: 'panel', load: async () => (await import('./panel-command.ts')).panelCommand },
    { name: 'mba', load: async () => (await import('./mba-command.ts')).mbaCommand },
    { name: 'agent', load: async () => (await import('./agent-command.ts')).agentCommand },
  ],
  process.argv.slice(2),
);
