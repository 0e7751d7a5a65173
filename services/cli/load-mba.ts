import { basename } from 'node:path';
import { customLimitSettings } from '../registry/organisations/custom-limits.ts';
import { cliSettings } from './config.ts';
import { ensureOrganisation, organisationNamed } from '../registry/organisations/organisations.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { instant, orgOption } from './arguments.ts';
import type { Command } from './command.ts';
import {
  exitCodesUsage,
  loadOptions,
  loadOptionsUsage,
  loadSettings,
} from './load/load-options.ts';
import type { LoadSettings } from '../load/blocks/load-target.ts';
import { LoadReport } from './load/load-report.ts';
import { describeUnits, readUnitProfile } from '../load/mba/read-unit-profile.ts';
import { importRelease } from '../metadata/history/import-release.ts';
import { loadRelease } from '../load/mba/load-release.ts';
import { type MeasurementPeriod, measurementPeriod } from '../load/mba/measurement-period.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import { subcommand } from './subcommands.ts';
import { withStores } from './with-stores.ts';

const options = {
  ...orgOption,
  profile: { type: 'string' },
  from: { type: 'string' },
  excluded: { type: 'string' },
  'include-excluded': { type: 'boolean', default: false },
  rewrite: { type: 'boolean', default: false },
  ...loadOptions,
} as const;

export const loadMbaCommand: Command = {
  about: 'Load a release of the FCC’s Measuring Broadband America',
  usage: `netpanel load-mba --org NAME [--profile unit-profile.xlsx] [--excluded excluded-units.xlsx] PATH

  --profile            unit profile of the release, CSV or XLSX: ISP, package, time zone and other fields
                       of each unit
  --excluded           list of the units that the FCC excluded, CSV or XLSX; columns such as ISP_DL_24H
                       exclude a unit only from queries of these metrics
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

  run: subcommand(options, 'a folder, an archive or a file curr_*.csv', async (values, path) => {
    const from = values.from === undefined ? undefined : instant(values.from, 'from');
    const settings = loadSettings(values);
    const wait = parseWait(values);
    const profile = await readUnitProfile(values);
    return withStores(async ({ database, clickhouse }) => {
      const report = new LoadReport(settings);
      const organisationId = await organisation(database, values.org, settings, report);
      if (profile !== undefined) {
        for (const line of describeUnits(profile)) report.note(line);
        const period = from === undefined ? await measurementPeriod(profile.path, path) : undefined;
        if (period !== undefined) report.note(validFrom(period));
        const release = {
          ...profile,
          source: basename(profile.path),
          title: 'profile',
          advice: profileAdvice,
        };
        const fromUtc = from ?? period?.fromUtc ?? null;
        const limits = cliSettings(customLimitSettings);
        const options = {
          ...settings,
          organisationId,
          fromUtc,
          mayRewrite: values.rewrite,
          limits,
        };
        report.note(await importRelease(database, release, options));
      }
      const excludedUnits = values['include-excluded'] ? undefined : profile?.excludedUnits;
      const target = { database, clickhouse, organisationId, excludedUnits, ...settings };
      const exitCode = await report.addAll(loadRelease(path, target), settings.rejectLimit);
      if (settings.isDryRun) return exitCode;
      return waitAfterLoad(exitCode, database, organisationId, wait);
    });
  }),
};

async function organisation(
  database: Database,
  name: string,
  { isDryRun }: LoadSettings,
  report: LoadReport,
): Promise<number> {
  if (isDryRun) {
    const known = await organisationNamed(database, name);
    if (known === undefined) report.note(`organisation ${name} would be added`);
    return known ?? noOrganisation;
  }
  const { id, isNew } = await ensureOrganisation(database, name, 'all');
  if (isNew) report.note(`organisation ${name} added`);
  return id;
}

/** An id that no organisation has. */
const noOrganisation = 0;

function validFrom({ fromUtc, source }: MeasurementPeriod): string {
  const day = fromUtc.toISOString().slice(0, 10);
  return `the profile is valid from ${day}, according to ${source}`;
}

const profileAdvice =
  'Use --from for another start, --rewrite to replace them, or leave out --profile to load only the results.';
