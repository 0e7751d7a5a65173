#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

// `netpanel query … | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await runCommandLine('netpanel', commands, process.argv.slice(2));
