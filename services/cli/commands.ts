import { agentsCommand } from './agents.ts';
import { auditCommand } from './audit.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { grantCommand } from './grant.ts';
import { ispCommand } from './isp.ts';
import { loadMbaCommand } from './load-mba.ts';
import { loadCommand } from './load.ts';
import { migrateCommand } from './migrate.ts';
import { orgCommand } from './org.ts';
import { packageCommand } from './package.ts';
import { retentionCommand } from './retention.ts';
import { setsCommand } from './sets.ts';
import { snapshotCommand } from './snapshot.ts';
import { tokenCommand } from './token.ts';
import { watchCommand } from './watch.ts';

/** Every command of `netpanel`, in the order of its help. */
export const commands: readonly Command[] = [
  migrateCommand,
  orgCommand,
  tokenCommand,
  ispCommand,
  packageCommand,
  grantCommand,
  agentsCommand,
  setsCommand,
  loadCommand,
  loadMbaCommand,
  watchCommand,
  snapshotCommand,
  explainCommand,
  exportCommand,
  auditCommand,
  retentionCommand,
  doctorCommand,
];
