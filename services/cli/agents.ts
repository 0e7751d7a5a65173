import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importAgents } from '../metadata/history/import-agents.ts';
import { clearedFields } from '../metadata/history/import-release.ts';
import { eraseAgents } from './erase-agents.ts';
import { exportAgents } from '../load/agents/export-agents.ts';
import { readTextFile } from '../load/input/text-encoding.ts';
import { parseAgentRecords } from '../load/agents/parse-agent-records.ts';
import { instant, orgOption, startOfDay } from './arguments.ts';
import type { Command } from './command.ts';
import { customLimitSettings } from '../registry/organisations/custom-limits.ts';
import { cliSettings } from './config.ts';
import { allowErasedId } from '../registry/agents/erased-ids.ts';
import { postgresNow } from '../shared/postgres/postgres-clock.ts';
import { runSubcommand, subcommand } from './subcommands.ts';
import { printLine } from './print.ts';
import { parseWait, waitForPublication, waitOptions, waitUsage } from './wait-for-publication.ts';
import { withOrganisation } from './with-stores.ts';

export const agentsCommand: Command = {
  about: 'Import agents and their metadata from a CSV file, export, erase or compare them',
  usage: `netpanel agents import --org NAME [--from 2026-11-01] [--complete] [--no-wait | --wait-seconds 120] FILE
netpanel agents export --org NAME [FILE]
netpanel agents erase --org NAME [--by agent|unit|mac] [--dry-run | --yes [--no-wait]] [--json] ID…
netpanel agents allow --org NAME ID…

  --from     date (or UTC time) from which the values are valid for agents that have a history; default:
             today. For an agent without a history they are valid for all time.
  --complete an empty cell removes the agent's ISP, package, time zone or custom field; columns that the file
             does not have change nothing
  --by       what the IDs are: agent_id (the default), unit_id or MAC address
  --dry-run  print what would be removed
  --yes      erase: without it, nothing is removed
  --no-wait  import: return before queries use the new metadata; erase: leave the work to the metadata
             service, and print the erasure's id

Columns: agent_id, unit_id, mac_address, kind (whitebox, cpe, mobile, web, cell), base, country, isp,
package (ISP:PACKAGE), timezone (IANA), and custom.KEY for each custom field. agent_id or unit_id is
required. An empty cell changes nothing without --complete. New ISPs and packages are added. A file is imported
completely or not at all, and importing it again changes nothing.
${waitUsage}

erase removes agents with everything that is stored about them, and prints a report: agents, history,
results, published metadata, stored requests that name them, and the files of all exports of the
organisation. It cannot be undone. It takes at least ten minutes, and continues in the metadata service
when interrupted. Erasing again prints the same report. The identifiers are refused from then on; allow
lets them be added again.`,

  run: (args) =>
    runSubcommand(args, {
      import: importFile,
      export: exportFile,
      erase: eraseAgents,
      allow: allowIds,
    }),
};

const importOptions = {
  ...orgOption,
  from: { type: 'string' },
  complete: { type: 'boolean', default: false },
  ...waitOptions,
} as const;

const importFile = subcommand(importOptions, 'FILE', async (values, path) => {
  const wait = parseWait(values);
  const from = values.from === undefined ? undefined : instant(values.from, 'from');
  const text = readTextFile(path);
  const records = parseAgentRecords(text, values.complete ? 'none' : 'unchanged');
  return withOrganisation(values.org, async ({ database, organisationId }) => {
    const result = await importAgents(database, {
      organisationId,
      records,
      validFromUtc: from ?? startOfDay(await postgresNow(database)),
      source: path === '-' ? 'standard input' : basename(path),
      limits: cliSettings(customLimitSettings),
    });
    printLine(
      `${records.length} agents read: ${result.agentsAdded} added, ${result.agentsUpdated} updated, ` +
        `metadata of ${result.historiesChanged} changed${clearedFields(result)}; ` +
        `${result.ispsAdded} ISPs and ${result.packagesAdded} packages added`,
    );
    return waitForPublication(database, organisationId, wait);
  });
});

const exportFile = subcommand(orgOption, '[FILE]', ({ org }, path) =>
  withOrganisation(org, ({ database, organisationId }) => {
    const lines = Readable.from(exportAgents(database, organisationId));
    return path === '' || path === '-'
      ? pipeline(lines, process.stdout, { end: false })
      : pipeline(lines, createWriteStream(path));
  }),
);

/** The exit code is 1 if an id was not erased. */
const allowIds = subcommand(orgOption, 'ID…', async ({ org }, _first, ids) =>
  withOrganisation(org, async ({ database, organisationId }) => {
    let exitCode = 0;
    for (const id of ids) {
      const isAllowed = await allowErasedId(database, organisationId, id);
      printLine(isAllowed ? `${id} can be added again` : `${id} was not erased`);
      if (!isAllowed) exitCode = 1;
    }
    return exitCode;
  }),
);
