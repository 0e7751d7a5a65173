#!/usr/bin/env node
import { agentsCommand } from './agents.ts';
import { auditCommand } from './audit.ts';
import { runCommandLine } from './command-line.ts';
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
import { retentionCommand } from './retention.ts';
import { snapshotCommand } from './snapshot.ts';
import { tokenCommand } from './token.ts';

const commands = [
  migrateCommand,
  orgCommand,
  tokenCommand,
  ispCommand,
  packageCommand,
  grantCommand,
  agentsCommand,
  loadCommand,
  loadMbaCommand,
  snapshotCommand,
  explainCommand,
  exportCommand,
  auditCommand,
  retentionCommand,
  doctorCommand,
];

process.exitCode = await runCommandLine('netpanel', commands, process.argv.slice(2));
