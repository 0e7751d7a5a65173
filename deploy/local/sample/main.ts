import { runCommandLine } from '../../../services/cli/command-line.ts';
import { mbaCommand } from './mba-command.ts';
import { panelCommand } from './panel-command.ts';

// Sample data for the local stack, tests and trials. It is not part of the production image:
//   make sample-panel, make sample-mba
process.exitCode = await runCommandLine(
  'sample',
  [panelCommand, mbaCommand],
  process.argv.slice(2),
);
