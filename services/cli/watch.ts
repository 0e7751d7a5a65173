import { queryRows } from '../shared/clickhouse/query-rows.ts';
import { shortKeepAlive } from '../shared/postgres/advisory-locks.ts';
import { postgresNow } from '../shared/postgres/postgres-clock.ts';
import { parseOptions, required, singleArgument } from './arguments.ts';
import type { Command } from './command.ts';
import { UsageError, wholeNumber } from '../shared/errors/usage-error.ts';
import { exitCodesUsage, knownTest, loadOptions, loadSettings } from './load/load-options.ts';
import { mappingOptions, mappingSettings } from './load/mapping-options.ts';
import { LoadReport } from './load/load-report.ts';
import { printList, printNote } from './print.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import type { LoadedFile } from '../load/watch/load-found-file.ts';
import { listWatchedFiles, watchedFileColumns, WatchedFiles } from '../load/watch/watched-files.ts';
import { loadOnce, watchPlace } from '../load/watch/watch-place.ts';
import { withOrganisation } from './with-stores.ts';
import { openPlace, placeAddress } from '../load/watch/open-place.ts';
import { exportSettings } from '../query/settings/export-settings.ts';
import { cliSettings } from './config.ts';

export const watchCommand: Command = {
  about: 'Load files as they appear in a folder or bucket',
  usage: `netpanel watch --org NAME [--test KEY] DIR|s3://bucket/prefix
netpanel watch --org NAME --once DIR|s3://bucket/prefix
netpanel watch --org NAME --status [DIR|s3://bucket/prefix]

  --test                test of all files; default: the test in the name of the folder or at the beginning of
                        the file name, such as httpget/day.csv or httpget-2026-11-01.csv
  --once                load the existing files, and exit
  --interval-seconds N  how often to look for files; default: 10
  --settle-seconds N    load a file of a folder when its size and time have not changed for N seconds;
                        default: 10
  --retry-failed        load bad files of earlier runs again, for example with another --ignore
  --again               load all files again, even blocks that were loaded before
  --replace             rows of a file replace stored results with the same key
  --status              list the files, newest first; --limit N, default: 100
  --json                print one JSON object at the end of --once, or the list of --status
  --ignore, --known-agents-only, --strict, --max-rejects, --rejects, --encoding, --format, --map, --mapping,
  --preset              as for netpanel load, for each file; --rejects DIR is needed if the folder is
                        read-only
  --no-wait, --wait-seconds N
                        as for netpanel load, with --once

Loads each file once, as netpanel load does, one at a time, and again when it changes. Postgres records the
progress, so that watchers can be restarted, killed, and run twice. Write files under another name (.name,
name.part, name.tmp) and rename them when they are complete. A bad file is retried only when it changes; after
other failures a file is retried after 10 seconds to 10 minutes. SIGTERM and SIGINT stop after the current
file. The settings S3_… are those of exports.

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
    const place = await openPlace(text, () => cliSettings(exportSettings));
    return withOrganisation(
      org,
      async ({ database, organisationId, clickhouse }) => {
        // Fails now, not at the first file, if ClickHouse is not reachable.
        await queryRows(clickhouse, 'SELECT 1');
        const testName = values.test ?? mapping.file?.test;
        const test = testName === undefined ? undefined : knownTest(testName);
        const redo = {
          failed: values['retry-failed'],
          loaded: values.again,
          before: await postgresNow(database),
        };
        const stop = stopSignal(log);
        const watching = {
          plan: { database, clickhouse, organisationId, place, test, mapping, settings },
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
  'The mapping describes agents, which needs a period that netpanel watch does not know. Use netpanel load.';

const options = {
  org: { type: 'string' },
  test: { type: 'string' },
  once: { type: 'boolean', default: false },
  status: { type: 'boolean', default: false },
  limit: { type: 'string', default: '100' },
  'interval-seconds': { type: 'string', default: '10' },
  'settle-seconds': { type: 'string', default: '10' },
  'retry-failed': { type: 'boolean', default: false },
  ...mappingOptions,
  ...loadOptions,
} as const;

/** Lists the files of an organisation, newest first. */
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
  const rows = await withOrganisation(org, ({ database, organisationId }) =>
    listWatchedFiles(database, organisationId, place, limit),
  );
  printList(watchedFileColumns, rows, values.json);
  return 0;
}

/** The exit code of netpanel load. */
function report(files: readonly LoadedFile[], isJson: boolean, stop: AbortSignal): number {
  const loadReport = new LoadReport({ isJson, isDryRun: false });
  for (const { outcome } of files) loadReport.add(outcome);
  if (stop.aborted) return loadReport.end(new Error('Stopped by a signal.'), 1);
  const retrying = files.filter((file) => file.status === 'retrying').length;
  if (retrying > 0) {
    return loadReport.end(new Error(`${retrying} files were not loaded and will be retried.`), 1);
  }
  return loadReport.end(files.find((file) => file.tooManyRejects)?.tooManyRejects);
}

// Standard output has only the result of --once and --status, for scripts.
function log(line: string): void {
  printNote(`${new Date().toISOString().slice(0, 19)}Z ${line}`);
}

/** Aborts at SIGTERM or SIGINT. A second signal ends the process at once. */
function stopSignal(log: (line: string) => void) {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    release();
    log(`${name}: stopping after the current file`);
    controller.abort();
  };
  const release = () => {
    for (const name of signals) process.off(name, stop);
  };
  for (const name of signals) process.on(name, stop);
  return { signal: controller.signal, release };
}

const signals = ['SIGTERM', 'SIGINT'] as const;
