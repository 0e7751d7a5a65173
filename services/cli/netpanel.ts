#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

process.exitCode = await runCommandLine('netpanel', commands, process.argv.slice(2));
