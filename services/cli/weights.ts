import { basename } from 'node:path';
import {
  rakeWeights,
  type RakeReport,
  type WeightsFrom,
} from '../metadata/weights/rake-weights.ts';
import { marginName, percent } from '../metadata/weights/parse-margins.ts';
import { customLimitSettings } from '../registry/organisations/custom-limits.ts';
import { organisationNamed } from '../registry/organisations/organisations.ts';
import { copyReplicates, replicatedKeys } from '../registry/weights/weight-replicates.ts';
import { detectSeparator, parseCsv } from '../results/csv.ts';
import { readTextFile } from '../load/input/text-encoding.ts';
import { InvalidInput } from '../shared/errors/invalid-input.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { postgresNow } from '../shared/postgres/postgres-clock.ts';
import { instant, jsonOption, orgOption, required } from './arguments.ts';
import { startOfLocalDay } from '../shared/timezones.ts';
import type { Command } from './command.ts';
import { cliSettings } from './config.ts';
import { alignedLines, printLine } from './print.ts';
import { runSubcommand, subcommand } from './subcommands.ts';
import { parseWait, waitForPublication, waitOptions, waitUsage } from './wait-for-publication.ts';
import { operatorName, withOrganisation, withStores } from './with-stores.ts';

export const weightsCommand: Command = {
  about: 'Weight households to published margins by raking',
  usage: `netpanel weights rake --org NAME --margins margins.csv --as custom.weight [--from 2026-11-01] [--bound 5]
                     [--replicates 50] [--leave-out] [--dry-run] [--json] [--no-wait | --wait-seconds 120]
netpanel weights copy --org NAME

  --margins    CSV with a column for each field (isp, package, country, timezone, custom.KEY) and total. Rows with
               values in the same fields are a margin: a row with an ISP and a region is a cell of both. - is
               standard input
  --as         the custom field of the weights
  --from       date, from 00:00 in the time zone of each household, or a UTC time: households are weighted by their
               metadata of that time, and the weights are valid from then on; default: today
  --bound      weights are from mean / 5 to 5 · mean; default: 5
  --replicates number of replicate weights, from 2 to 200, for intervals that include the raking: requests with
               "weightReplicates": true. Default: none
  --leave-out  households whose value has no row, or one with the total 0, get no weight; without it they are an error
  --dry-run    compute and print everything, store nothing
  --json       print the report as JSON

The weights have the mean 1. Requests use them with "weight": "custom.weight". A cell without households is named, and
the rest of its margin counts as the whole. Margins that contradict each other by more than 1 %, or cannot hold within
the bounds in 200 rounds, are an error (exit code 2), and nothing is stored. copy writes all replicate weights to
ClickHouse again, for example after a restore.
${waitUsage}`,

  run: (args) => runSubcommand(args, { rake, copy }),
};

const rakeOptions = {
  ...orgOption,
  margins: { type: 'string' },
  as: { type: 'string' },
  from: { type: 'string' },
  bound: { type: 'string', default: '5' },
  replicates: { type: 'string', default: '0' },
  'leave-out': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  ...jsonOption,
  ...waitOptions,
} as const;

const rake = subcommand(rakeOptions, undefined, async (values) => {
  const wait = parseWait(values);
  const file = required(values.margins, 'margins');
  const key = customKey(required(values.as, 'as'));
  const bound = parseBound(values.bound);
  const replicates = parseReplicates(values.replicates);
  const from = values.from === undefined ? undefined : weightsFrom(values.from);
  const csv = readTextFile(file).trimStart();
  const rows = parseCsv(csv, detectSeparator(csv.split(/\r?\n/, 1)[0] ?? ''));
  return withStores(async (stores) => {
    const { database } = stores;
    const organisationId = await organisationOf(database, values.org);
    const now = await postgresNow(database);
    if (from !== undefined && from.in('UTC') > now) {
      throw new UsageError(`--from ${from.text} is in the future`);
    }
    const start = from ?? weightsFrom(now.toISOString().slice(0, 'YYYY-MM-DD'.length));
    const report = await rakeWeights(database, {
      organisationId,
      rows,
      source: file === '-' ? 'standard input' : basename(file),
      key,
      from: start,
      bound,
      replicates,
      mayLeaveOut: values['leave-out'],
      isDryRun: values['dry-run'],
      actor: operatorName(),
      limits: cliSettings(customLimitSettings),
    });
    const { 'dry-run': isDryRun } = values;
    if (!isDryRun) await copyReplicates(stores, organisationId, key);
    const shown = { field: `custom.${key}`, from: start.text, bound, isDryRun };
    printLine(values.json ? JSON.stringify({ ...shown, ...report }, null, 2) : text(shown, report));
    return isDryRun ? 0 : waitForPublication(database, organisationId, wait);
  });
});

const copy = subcommand(orgOption, undefined, ({ org }) =>
  withOrganisation(org, async (stores) => {
    for (const key of await replicatedKeys(stores.database, stores.organisationId)) {
      const households = await copyReplicates(stores, stores.organisationId, key);
      printLine(`custom.${key}: replicate weights of ${households} households`);
    }
  }),
);

/** A date begins at the midnight of each household, like the rows of a published panel. */
function weightsFrom(text: string): WeightsFrom {
  const time = instant(text, 'from');
  if (!/^[^T ]*$/.test(text)) return { text: time.toISOString(), in: () => time };
  const day = time.toISOString().slice(0, 'YYYY-MM-DD'.length);
  return { text: day, in: (timezone) => startOfLocalDay(day, timezone) };
}

function parseReplicates(text: string): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (count === 0 || (count >= 2 && count <= 200)) return count;
  throw new UsageError(`--replicates must be a number from 2 to 200, such as 50, not "${text}"`);
}

function customKey(field: string): string {
  const [, key] = /^custom\.(.*[A-Za-z].*)$/.exec(field) ?? [];
  if (key !== undefined) return key;
  throw new UsageError(`--as must be a custom field such as custom.weight, not "${field}"`);
}

function parseBound(text: string): number {
  const bound = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (bound > 1 && bound <= 1e6) return bound;
  throw new UsageError(`--bound must be a number above 1, such as 5, not "${text}"`);
}

async function organisationOf(database: Database, name: string): Promise<number> {
  const id = await organisationNamed(database, name);
  if (id !== undefined) return id;
  throw new InvalidInput(
    `Unknown organisation "${name}". Run netpanel org list for the existing ones.`,
  );
}

interface Shown {
  readonly field: string;
  readonly from: string;
  readonly isDryRun: boolean;
}

function text({ field, from, isDryRun }: Shown, report: RakeReport): string {
  const { households, leftOut, rounds, effectiveHouseholds: effective, emptyCells } = report;
  const table = [
    ['margin', 'value', 'households', 'published', 'before', 'after'],
    ...report.margins.flatMap(({ fields, cells }) =>
      cells.map(({ values, households: count, published, before, after }) => [
        marginName({ fields }),
        values.join(', '),
        String(count),
        ...[published, before, after].map(percent),
      ]),
    ),
  ];
  return [
    ...alignedLines(table, [false, false, true, true, true, true]),
    '',
    `${households} households in ${rounds} rounds: weights from ${report.lowestWeight.toFixed(3)} to ` +
      `${report.highestWeight.toFixed(3)}, effective households ${effective.before} before and ${effective.after.toFixed(1)} after`,
    ...(leftOut === 0 ? [] : [`${leftOut} households are left out: they get no weight`]),
    ...emptyCells.map(
      (cell) => `No household has ${cell}: the rest of its margin counts as the whole`,
    ),
    ...replicateLines(report),
    isDryRun
      ? 'Dry run: nothing was stored'
      : `${field} of ${report.changedAgents} agents changed from ${from} on`,
  ].join('\n');
}

function replicateLines({ replicates }: RakeReport): readonly string[] {
  if (replicates === undefined) return [];
  const { count, emptied, unfinished } = replicates;
  return [
    `${count} replicate weights`,
    ...emptied.map(
      (cell) => `No household is left with ${cell}: the rest of its margin counts as the whole`,
    ),
    ...(unfinished.length === 0
      ? []
      : [`A margin does not hold in the replicates ${unfinished.join(', ')}`]),
  ];
}
