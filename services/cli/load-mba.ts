import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { ensureOrganisation } from '../registry/organisations.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { instant, singleArgument, parseOptions, required } from './arguments.ts';
import type { Command } from './command.ts';
import { HeaderError } from '../results/columns/file-plan.ts';
import { testColumns } from '../results/columns/test-columns.ts';
import {
  exitCodesUsage,
  loadOptions,
  loadOptionsUsage,
  type LoadSettings,
  loadSettings,
} from './load/load-options.ts';
import { loadStream } from './load/load-stream.ts';
import { LoadReport } from './load/summary/load-report.ts';
import type { FileOutcome } from './load/summary/load-summary.ts';
import { RejectFile } from './load/summary/reject-file.ts';
import { TooManyRejects } from './load/summary/reject-limit.ts';
import { describeUnits } from './mba/describe-units.ts';
import { importProfile } from './mba/import-profile.ts';
import { mbaHeader } from './mba/mba-header.ts';
import { mbaSources, type MbaSource } from './mba/mba-sources.ts';
import { measurementPeriod } from './mba/measurement-period.ts';
import { readUnitProfile, type UnitProfile } from './mba/read-unit-profile.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import { withStores } from './with-stores.ts';

export const loadMbaCommand: Command = {
  about: 'Load a release of the FCC’s Measuring Broadband America',
  usage: `netpanel load-mba --org NAME [--profile unit-profile.xlsx] [--excluded excluded-units.xlsx] PATH

  --profile            unit profile of the release, CSV or XLSX: ISP, package, time zone and other fields
                       of each unit
  --excluded           list of the units that the FCC excluded, CSV or XLSX; columns such as ISP_DL_24H
                       exclude a unit only from these metrics, when they are queried
  --include-excluded   load the results of excluded units too, and exclude none from metrics; the custom
                       field status marks the units
  --from               date from which the profile is valid, until the unit's next recorded change; default: the
                       month in the name of the profile (unit-profile-sept2021.csv), or of the first
                       results
  --rewrite            let the profile replace other values that are recorded from the same date on
${loadOptionsUsage}

PATH is a folder, a zip or tar archive (also .tar.gz), or one file. Adds the organisation if it is new,
with every metric and test. Loads every curr_*.csv (or .csv.gz), also from archives inside the folder or
archive; the name selects the test. Files without a test are skipped and listed. Running it again loads
only missing rows.

${exitCodesUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, options);
    const org = required(values.org, 'org');
    const path = singleArgument(positionals, 'a folder, an archive or a file curr_*.csv');
    const from = values.from === undefined ? undefined : instant(values.from, 'from');
    const settings = loadSettings(values);
    const wait = parseWait(values);
    const profile = await readUnitProfile(values);
    return withStores(async (database, clickhouse) => {
      const report = new LoadReport(settings);
      const organisationId = await organisation(database, org, settings, report);
      if (profile !== undefined) {
        const target = { organisationId, path, from, mayRewrite: values.rewrite };
        for (const line of describeUnits(profile)) report.note(line);
        await applyProfile(database, profile, target, settings, report);
      }
      const excludedUnits = values['include-excluded'] ? undefined : profile?.excludedUnits;
      const stores = {
        database,
        clickhouse,
        organisationId,
        ...(excludedUnits && { excludedUnits }),
      };
      const exitCode = await loadSources(path, stores, settings, report);
      if (settings.isDryRun) return exitCode;
      return waitAfterLoad(exitCode, database, organisationId, wait);
    });
  },
};

const options = {
  org: { type: 'string' },
  profile: { type: 'string' },
  from: { type: 'string' },
  excluded: { type: 'string' },
  'include-excluded': { type: 'boolean', default: false },
  rewrite: { type: 'boolean', default: false },
  ...loadOptions,
} as const;

interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly organisationId: number;
  readonly excludedUnits?: ReadonlySet<number>;
}

async function organisation(
  database: Database,
  name: string,
  { isDryRun }: LoadSettings,
  report: LoadReport,
): Promise<number> {
  if (isDryRun) {
    const known = await database<{ id: number; name: string }>('organisations')
      .where({ name })
      .first('id');
    if (known === undefined) report.note(`organisation ${name} would be added`);
    return known?.id ?? noOrganisation;
  }
  const { id, isNew } = await ensureOrganisation(database, name, 'all');
  if (isNew) report.note(`organisation ${name} added`);
  return id;
}

/** An id that no organisation has. */
const noOrganisation = 0;

async function applyProfile(
  database: Database,
  profile: UnitProfile,
  target: {
    readonly organisationId: number;
    readonly path: string;
    readonly from: Date | undefined;
    readonly mayRewrite: boolean;
  },
  { isDryRun }: LoadSettings,
  report: LoadReport,
): Promise<void> {
  const { organisationId, path, from, mayRewrite } = target;
  const period = from === undefined ? await measurementPeriod(profile.path, path) : undefined;
  const fromUtc = from ?? period?.fromUtc ?? null;
  if (period !== undefined) {
    const day = period.fromUtc.toISOString().slice(0, 10);
    report.note(`the profile is valid from ${day}, according to ${period.source}`);
  }
  if (isDryRun) {
    report.note(`${profile.records.length} units in the profile, not imported in a dry run`);
    return;
  }
  report.note(await importProfile(database, profile, { organisationId, fromUtc, mayRewrite }));
}

async function loadSources(
  path: string,
  stores: Stores,
  settings: LoadSettings,
  report: LoadReport,
): Promise<number> {
  const names = new Set<string>();
  try {
    for await (const source of mbaSources(path, settings.encoding)) {
      // Archives of several months have files of the same name.
      const name = names.has(source.name) ? source.path : source.name;
      names.add(name);
      const outcome = await loadSource({ ...source, name }, stores, settings);
      report.add(outcome);
      if (outcome.status === 'loaded') settings.rejectLimit.endOfFile(outcome.rowsRead);
    }
  } catch (error) {
    if (error instanceof TooManyRejects) return report.end(error);
    throw error;
  }
  if (names.size === 0) throw new Error(`${path} contains no file curr_*.csv`);
  return report.end();
}

async function loadSource(
  source: MbaSource,
  stores: Stores,
  settings: LoadSettings,
): Promise<FileOutcome> {
  const { name, file, input, progress } = source;
  if (file === 'unsupported') {
    return { file: name, test: null, status: 'unsupported', reason: 'no test for this file' };
  }
  const { test } = file;
  const folder = settings.rejectsDir ?? source.folder;
  const rejects = new RejectFile(join(folder, `${name.replaceAll('/', '_')}.rejects.csv`));
  try {
    const target = {
      ...stores,
      ...settings,
      ...file,
      columns: await testColumns(stores.clickhouse, test),
      readHeader: (line: readonly string[]) => mbaHeader(line, file),
      // Some columns exist only in some years: location_id, ddate.
      ignore: 'unknown' as const,
      onRows: (count: number) => progress.addRows(count),
    };
    return { file: name, test, status: 'loaded', ...(await loadStream(input, target, rejects)) };
  } catch (error) {
    // One unreadable file among twenty must not stop the others.
    if (error instanceof HeaderError) {
      return { file: name, test, status: 'skipped', reason: error.message };
    }
    if (error instanceof TooManyRejects) throw error;
    throw new Error(`${name} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}
