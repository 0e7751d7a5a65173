import { createWriteStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importAgents } from '../metadata/history/import-agents.ts';
import { allowAgents } from './agents/allow-agents.ts';
import { eraseAgents } from './agents/erase-agents.ts';
import { exportAgents } from './agents/export-agents.ts';
import { clearedFields } from './agents/import-release.ts';
import { parseAgentRecords } from './agents/parse-agent-records.ts';
import {
  instant,
  rejectExtraArguments,
  singleArgument,
  parseOptions,
  required,
} from './arguments.ts';
import type { Command } from './command.ts';
import { readCustomLimits } from './config.ts';
import { listMergedAgentIds } from '../registry/merged-agent-ids.ts';
import { findOrganisation } from '../registry/organisations.ts';
import { listCommand } from './list-command.ts';
import { runSubcommand } from './subcommands.ts';
import { printLine } from './print-line.ts';
import { parseWait, waitForPublication, waitOptions, waitUsage } from './wait-for-publication.ts';
import { withDatabase } from './with-stores.ts';

export const agentsCommand: Command = {
  about: 'Import agents and their metadata from a CSV file, export, erase or compare them',
  usage: `netpanel agents import --org NAME [--from 2026-11-01] [--complete] [--no-wait | --wait-seconds 120] FILE
netpanel agents export --org NAME [FILE]
netpanel agents erase --org NAME [--by agent|unit|mac] [--dry-run | --yes [--no-wait]] [--json] ID…
netpanel agents allow --org NAME ID…
netpanel agents merged --org NAME [--json]

  --from     date (or UTC time) from which the values are valid for agents that have a history; default:
             today. For an agent without a history they are valid for all time.
  --complete an empty cell means that the agent has no ISP, package, time zone or custom field of this column
             any more; columns that the file does not have change nothing
  --by       what the IDs are: agent_id (the default), unit_id or MAC address
  --dry-run  print what would be removed
  --yes      erase: without it, nothing is removed
  --no-wait  import: return before queries use the new metadata; erase: leave the work to the metadata
             service, and print the erasure's id

Columns: agent_id, unit_id, mac_address, kind (whitebox, cpe, mobile, web), base, country, isp,
package (ISP:PACKAGE), timezone (IANA), and custom.KEY for each custom field. agent_id or unit_id is
required. An empty cell changes nothing without --complete. New ISPs and packages are added. A file is imported completely
or not at all, and importing it again changes nothing.
${waitUsage}

erase removes agents with everything that is stored about them, and prints a report: agents, history,
results, published metadata, stored requests that name them, and the files of all exports of the
organisation. It cannot be undone. It takes at least ten minutes, and continues in the metadata service
when interrupted. Erasing again prints the same report. The identifiers are refused from then on; allow
lets them be added again.

merged lists the ids that changes used for an agent with another id. Version 0.1.0 compared ids without
punctuation: it took site1-11 and site11-1 for one agent.`,

  run: (args) =>
    runSubcommand(args, {
      import: importFile,
      export: exportFile,
      erase: eraseAgents,
      allow: allowAgents,
      merged: listCommand(
        ['agentKey', 'agentId', 'otherId', 'changes', 'lastChangeAt'],
        listMergedAgentIds,
      ),
    }),
};

async function importFile(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, {
    org: { type: 'string' },
    from: { type: 'string' },
    complete: { type: 'boolean', default: false },
    ...waitOptions,
  });
  const wait = parseWait(values);
  const org = required(values.org, 'org');
  const path = singleArgument(positionals, 'FILE');
  const validFromUtc = values.from === undefined ? startOfToday() : instant(values.from, 'from');
  const text = readFileSync(path === '-' ? 0 : path, 'utf8');
  const records = parseAgentRecords(text, values.complete ? 'none' : 'unchanged');
  return withDatabase(async (database) => {
    const organisationId = await findOrganisation(database, org);
    const result = await importAgents(database, {
      organisationId,
      records,
      validFromUtc,
      source: path,
      limits: readCustomLimits(),
    });
    printLine(
      `${records.length} agents read: ${result.agentsAdded} added, ${result.agentsUpdated} updated, ` +
        `metadata of ${result.historiesChanged} changed${clearedFields(result)}; ` +
        `${result.ispsAdded} ISPs and ${result.packagesAdded} packages added`,
    );
    return waitForPublication(database, organisationId, wait);
  });
}

async function exportFile(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, { org: { type: 'string' } });
  const org = required(values.org, 'org');
  const [path = '-', ...more] = positionals;
  rejectExtraArguments(more);
  await withDatabase(async (database) => {
    const lines = Readable.from(exportAgents(database, await findOrganisation(database, org)));
    if (path === '-') await pipeline(lines, process.stdout, { end: false });
    else await pipeline(lines, createWriteStream(path));
  });
  return 0;
}

function startOfToday(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}
