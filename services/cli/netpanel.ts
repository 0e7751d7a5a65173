#!/usr/bin/env node
import { SettingsError } from '../shared/config/read-settings.ts';
import { agentsCommand } from './agents.ts';
import { type Command, UsageError } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { grantCommand } from './grant.ts';
import { ispCommand } from './isp.ts';
import { loadCommand } from './load.ts';
import { loadMbaCommand } from './load-mba.ts';
import { migrateCommand } from './migrate.ts';
import { orgCommand } from './org.ts';
import { packageCommand } from './package.ts';
import { sampleMbaCommand } from './sample-mba.ts';
import { seedCommand } from './seed.ts';
import { snapshotCommand } from './snapshot.ts';
import { tokenCommand } from './token.ts';

const commands: readonly Command[] = [
  migrateCommand,
  seedCommand,
  orgCommand,
  tokenCommand,
  ispCommand,
  packageCommand,
  grantCommand,
  agentsCommand,
  loadCommand,
  loadMbaCommand,
  sampleMbaCommand,
  snapshotCommand,
  explainCommand,
  exportCommand,
  doctorCommand,
];

const [word = 'help', ...args] = process.argv.slice(2);
process.exitCode = await main();

async function main(): Promise<number> {
  if (['help', '--help', '-h'].includes(word)) return help(args[0]);
  const command = commands.find(({ name }) => name === word);
  if (command === undefined) return complain(`netpanel has no command "${word}".\n\n${overview()}`);
  if (args.includes('--help') || args.includes('-h')) return help(word);
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}\n\n${command.usage}`);
    if (error instanceof SettingsError) return complain(error.message);
    process.stderr.write(`${explained(error)}\n`);
    return 1;
  }
}

function help(about: string | undefined): number {
  const command = commands.find(({ name }) => name === about);
  process.stdout.write(`${command?.usage ?? overview()}\n`);
  return 0;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, about }) => `  netpanel ${name.padEnd(width)}  ${about}`);
  return ['Usage:', ...lines, '', 'netpanel help COMMAND tells more of one.'].join('\n');
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}

/** The message and its causes, one line each: a stack trace helps no operator. */
function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || error.name;
  return error.cause === undefined ? own : `${own}\n  because: ${explained(error.cause)}`;
}
