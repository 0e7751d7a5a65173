import type { ClickHouseClient } from '@clickhouse/client';
import { findOrganisation } from '../registry/organisations.ts';
import { shortKeepAlive } from '../shared/postgres/advisory-locks.ts';
import type { Database } from '../shared/postgres/connect-postgres.ts';
import { parseOptions, required, singleArgument, wholeNumber } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { testKeys } from '../results/columns/test-columns.ts';
import { exitCodesUsage, loadOptions, loadSettings } from './load/load-options.ts';
import { mappingOptions, mappingSettings } from './load/mapping/mapping-options.ts';
import { LoadReport } from './load/summary/load-report.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import type { LoadedFile } from './watch/load-found-file.ts';
import { openPlace } from './watch/open-place.ts';
import { placeAddress } from './watch/place-address.ts';
import { printStatus } from './watch/print-status.ts';
import { stopSignal } from './watch/stop-signal.ts';
import { WatchedFiles } from './watch/watched-files.ts';
import { loadOnce, watchPlace } from './watch/watch-place.ts';
import { withDatabase, withStores } from './with-stores.ts';

export const watchCommand: Command = {
  about: 'Load files as they appear in a folder or bucket',
  usage: `netpanel watch --org NAME [--test KEY] DIR|s3://bucket/prefix
netpanel watch --org NAME --once DIR|s3://bucket/prefix
netpanel watch --org NAME --status [DIR|s3://bucket/prefix]

  --test                test of all files; default: the test that the folder or the beginning of the file
                        name is, such as httpget/day.csv or httpget-2026-11-01.csv
  --once                load what is there, and exit
  --interval-seconds N  how often to look for files; default: 10
  --settle-seconds N    load a file of a folder when its size and time did not change for so long;
                        default: 10
  --retry-failed        load bad files of earlier runs again, for example with another --ignore
  --again               load all files again, also blocks that were loaded before
  --replace             rows of a file replace stored results with the same key
  --status              list the files, the last ones first; --limit N, default: 100
  --json                print one JSON object at the end of --once, or the list of --status
  --ignore, --known-agents-only, --strict, --max-rejects, --rejects, --encoding, --format, --map, --mapping,
  --preset              as for netpanel load, for each file; --rejects DIR is needed if the folder is
                        read-only
  --no-wait, --wait-seconds N
                        as for netpanel load, with --once

Each file is loaded once, as netpanel load does, one at a time, and again when it changes. Postgres records
what is done, so that watchers can be restarted, killed, and run twice. Write files under another name
(.name, name.part, name.tmp) and rename them when they are complete. A bad file is not tried again until it
changes; after other failures a file is tried again after 10 seconds to 10 minutes. SIGTERM and SIGINT stop
after the current file. The settings S3_… are those of exports.

With --once: ${exitCodesUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, options);
    const org = required(values.org, 'org');
    if (values.status) return status(org, positionals, values);
    const text = singleArgument(positionals, 'DIR or s3://bucket/prefix');
    const intervalMs = wholeNumber(values['interval-seconds'], 'interval-seconds') * 1000;
    const settleMs = wholeNumber(values['settle-seconds'], 'settle-seconds', 0) * 1000;
    if (values['dry-run']) throw new UsageError('--dry-run is an option of netpanel load only');
    const mapping = mappingSettings(values);
    if (mapping.file?.agents !== undefined || Object.keys(mapping.agents).length > 0)
      throw new UsageError(withoutAgents);
    if (mapping.saveTo !== undefined) {
      throw new UsageError('--save-mapping is an option of netpanel load only');
    }
    const settings = () => loadSettings(values);
    // Invalid values must stop the command, not each file.
    settings();
    const wait = parseWait(values);
    const place = await openPlace(text);
    return withStores(
      async (database, clickhouse) => {
        const organisationId = await findOrganisation(database, org);
        await checkTest(clickhouse, values.test ?? mapping.file?.test);
        const redo = {
          failed: values['retry-failed'],
          loaded: values.again,
          before: await databaseTime(database),
        };
        const ignore = (values.ignore ?? '').split(',').filter((name) => name !== '');
        const test = values.test ?? mapping.file?.test;
        const stop = stopSignal(log);
        const watching = {
          plan: { database, clickhouse, organisationId, place, test, ignore, mapping, settings },
          files: new WatchedFiles(database, organisationId, place.name, redo),
          settleMs,
          intervalMs,
          stop: stop.signal,
          log,
        };
        try {
          if (values.once) {
            const exitCode = report(await loadOnce(watching), values.json, stop.signal);
            return await waitAfterLoad(exitCode, database, organisationId, wait);
          }
          log(`watching ${place.name} for ${org}`);
          await watchPlace(watching);
          return 0;
        } finally {
          stop.release();
        }
      },
      // The lock of a file, the block that is sent, the agents of the next block, and the records.
      { connections: 4, onConnect: shortKeepAlive },
    );
  },
};

const withoutAgents =
  'The mapping describes agents from a period on, which netpanel watch does not know. Use netpanel load.';

const options = {
  org: { type: 'string' },
  test: { type: 'string' },
  ignore: { type: 'string' },
  once: { type: 'boolean', default: false },
  status: { type: 'boolean', default: false },
  limit: { type: 'string', default: '100' },
  'interval-seconds': { type: 'string', default: '10' },
  'settle-seconds': { type: 'string', default: '10' },
  'retry-failed': { type: 'boolean', default: false },
  ...mappingOptions,
  ...loadOptions,
} as const;

async function status(
  org: string,
  positionals: readonly string[],
  values: { readonly limit: string; readonly json: boolean },
): Promise<number> {
  const place =
    positionals.length === 0
      ? undefined
      : placeAddress(singleArgument(positionals, 'DIR or s3://bucket/prefix')).name;
  const limit = wholeNumber(values.limit, 'limit');
  await withDatabase(async (database) => {
    const organisationId = await findOrganisation(database, org);
    await printStatus(database, { organisationId, place, limit, isJson: values.json });
  });
  return 0;
}

async function checkTest(clickhouse: ClickHouseClient, test: string | undefined): Promise<void> {
  const tests = await testKeys(clickhouse);
  if (test === undefined || tests.includes(test)) return;
  throw new UsageError(`Unknown test "${test}". Allowed: ${tests.join(', ')}.`);
}

async function databaseTime(database: Database): Promise<Date> {
  const { rows } = await database.raw<{ rows: [{ now: Date }] }>('select now() as now');
  return rows[0].now;
}

/** The exit code of netpanel load. */
function report(files: readonly LoadedFile[], isJson: boolean, stop: AbortSignal): number {
  const loadReport = new LoadReport({ isJson, isDryRun: false });
  for (const { outcome } of files) loadReport.add(outcome);
  if (stop.aborted) return loadReport.end(new Error('Stopped by a signal.'), 1);
  const retrying = files.filter((file) => file.status === 'retrying').length;
  if (retrying > 0) {
    return loadReport.end(new Error(`Not loaded, to be tried again: ${retrying} files.`), 1);
  }
  return loadReport.end(files.find((file) => file.tooManyRejects)?.tooManyRejects);
}

// Standard output has only the result of --once and --status, for scripts.
function log(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(0, 19)}Z ${line}\n`);
}
