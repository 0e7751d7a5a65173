import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { importAgents } from '../metadata/history/import-agents.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { instant, singleArgument, parseOptions, required } from './arguments.ts';
import type { Command } from './command.ts';
import { readCustomLimits } from './config.ts';
import { ensureOrganisation } from '../registry/organisations.ts';
import { HeaderError } from './load/file-plan.ts';
import { describeLoad } from './load/describe-load.ts';
import { loadStream } from './load/load-stream.ts';
import { RejectFile } from './load/reject-file.ts';
import { testColumns } from './load/test-columns.ts';
import { mbaSources, type MbaSource } from './mba/mba-sources.ts';
import { parseUnitProfile } from './mba/unit-profile.ts';
import { printLine } from './print-line.ts';
import { parseWait, waitForPublication, waitOptions, waitUsage } from './wait-for-publication.ts';
import { withStores } from './with-stores.ts';

export const loadMbaCommand: Command = {
  name: 'load-mba',
  about: 'Load a release of the FCC’s Measuring Broadband America',
  usage: `netpanel load-mba --org NAME [--profile unit-profile.csv] DIR|ARCHIVE.tar.gz

  --profile        unit profile of the release: ISP, package, time zone and other fields of each unit
  --from           date from which the profile is valid for units that have a history, for a second
                   release; default: for all time
  --strict, --rejects DIR, --known-agents-only, --again, --no-wait, --wait-seconds N
                   as for netpanel load

Adds the organisation if it is new, with every metric and test. Loads every curr_*.csv (or .csv.gz); the name selects the test.
Files without a test are skipped and listed. Running it again loads only missing rows.
${waitUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, options);
    const org = required(values.org, 'org');
    const path = singleArgument(positionals, 'DIR or ARCHIVE.tar.gz');
    const validFromUtc = values.from === undefined ? null : instant(values.from, 'from');
    const wait = parseWait(values);
    const { profile } = values;
    const records = profile === undefined ? [] : parseUnitProfile(readFileSync(profile, 'utf8'));
    return withStores(async (database, clickhouse) => {
      const { id: organisationId, isNew } = await ensureOrganisation(database, org, 'all');
      if (isNew) printLine(`organisation ${org} added`);
      if (profile !== undefined) {
        const limits = readCustomLimits();
        const options = { organisationId, records, validFromUtc, source: profile, limits };
        const result = await importAgents(database, options);
        printLine(
          `${records.length} units in the profile: ${result.agentsAdded} added, metadata of ` +
            `${result.historiesChanged} changed, ${result.packagesAdded} packages added`,
        );
      }
      const stores = { database, clickhouse, organisationId };
      let found = 0;
      for await (const source of mbaSources(path)) {
        printLine(`${source.name}: ${await loadSource(source, stores, values)}`);
        found++;
      }
      if (found === 0) throw new Error(`${path} contains no file curr_*.csv`);
      return waitForPublication(database, organisationId, wait);
    });
  },
};

const options = {
  org: { type: 'string' },
  profile: { type: 'string' },
  from: { type: 'string' },
  rejects: { type: 'string' },
  strict: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
  'known-agents-only': { type: 'boolean', default: false },
  ...waitOptions,
} as const;

interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly organisationId: number;
}

interface LoadOptions {
  readonly rejects?: string | undefined;
  readonly strict: boolean;
  readonly again: boolean;
  readonly 'known-agents-only': boolean;
}

async function loadSource(
  source: MbaSource,
  stores: Stores,
  options: LoadOptions,
): Promise<string> {
  const { name, file, content, progress } = source;
  if (file === 'unsupported') return 'skipped: no test for this file';
  const rejects = new RejectFile(join(options.rejects ?? source.folder, `${name}.rejects.csv`));
  try {
    const target = {
      ...stores,
      ...file,
      columns: await testColumns(stores.clickhouse, file.test),
      // Some columns exist only in some years: location_id, ddate.
      ignore: 'unknown' as const,
      knownAgentsOnly: options['known-agents-only'],
      isStrict: options.strict,
      again: options.again,
      onRows: (count: number) => progress.addRows(count),
    };
    const result = await loadStream(content, target, rejects);
    return `${file.test}: ${describeLoad(result, rejects.path)}`;
  } catch (error) {
    // One unreadable file among twenty must not stop the others.
    if (error instanceof HeaderError) return `skipped: ${error.message}`;
    throw new Error(`${name} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}
