import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { testColumns } from '../../results/columns/test-columns.ts';
import { loadFile } from '../load/load-file.ts';
import type { MappingSettings } from '../load/mapping/mapping-options.ts';
import type { LoadSettings } from '../load/load-options.ts';
import { problemOf } from '../load/summary/load-report.ts';
import type { FileOutcome, LoadSummary } from '../load/summary/load-summary.ts';
import { TooManyRejects } from '../load/summary/reject-limit.ts';
import { messagesOf } from '../../shared/errors/messages-of.ts';
import { BadFileError, isBadFile, recordedMessage, withoutValues } from './load-failure.ts';
import { testOfFile } from './test-of-file.ts';
import { FileChangedError, type FoundFile, type WatchedPlace } from './watched-place.ts';
import type { EndedLoad } from './watched-files.ts';

/** How the files of a place are loaded. */
export interface LoadPlan {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly organisationId: number;
  readonly place: WatchedPlace;
  /** undefined: by the name of the folder or the file. */
  readonly test: string | undefined;
  readonly ignore: readonly string[];
  readonly mapping: MappingSettings;
  /** New for each file: --max-rejects counts the rows of one file. */
  readonly settings: () => LoadSettings;
}

export interface LoadedFile extends EndedLoad {
  readonly outcome: FileOutcome;
  readonly tooManyRejects: TooManyRejects | undefined;
}

/** Loads a file as netpanel load does. undefined: it was changed or removed after it was found. */
export async function loadFoundFile(
  file: FoundFile,
  tests: readonly string[],
  plan: LoadPlan,
): Promise<LoadedFile | undefined> {
  const test = plan.test ?? testOfFile(file.name, tests) ?? null;
  try {
    if (test === null) throw new BadFileError(noTest(tests));
    const summary = await load(file, test, plan);
    return endedLoad({ file: file.name, test, status: 'loaded', ...summary }, summary);
  } catch (error) {
    if (isChanged(error)) return undefined;
    return {
      status: isBadFile(error) ? 'failed' : 'retrying',
      test,
      message: recordedMessage(error),
      summary: null,
      outcome: { file: file.name, test, status: 'skipped', reason: messagesOf(error) },
      tooManyRejects: error instanceof TooManyRejects ? error : undefined,
    };
  }
}

async function load(file: FoundFile, test: string, plan: LoadPlan): Promise<LoadSummary> {
  const { place, database, clickhouse, organisationId, ignore, mapping } = plan;
  const settings = plan.settings();
  const source = {
    path: place.pathOf(file),
    isFile: place.isFolder,
    name: file.name,
    sizeBytes: file.sizeBytes,
    rejectFile: rejectFileOf(file, place, settings),
    open: () => place.open(file),
  };
  const summary = await loadFile(source, {
    database,
    clickhouse,
    organisationId,
    test,
    columns: await testColumns(clickhouse, test),
    constants: {},
    fallbacks: {},
    ignore,
    mapping,
    ...settings,
  });
  settings.rejectLimit.endOfFile(summary.rowsRead);
  return summary;
}

/**
 * Beside the file of a folder. Otherwise the folders are part of the name, so that httpget/day.csv
 * and dns/day.csv have different reject files: httpget%2Fday.csv.rejects.csv.
 */
function rejectFileOf(
  file: FoundFile,
  { isFolder, pathOf }: WatchedPlace,
  { rejectsDir }: LoadSettings,
): string {
  if (isFolder && rejectsDir === undefined) return `${pathOf(file)}.rejects.csv`;
  const name = file.name.replaceAll('%', '%25').replaceAll('/', '%2F');
  return join(rejectsDir ?? '.', `${name}.rejects.csv`);
}

function endedLoad(outcome: FileOutcome, summary: LoadSummary): LoadedFile {
  const problem = problemOf(outcome);
  return {
    status: problem === undefined ? 'loaded' : 'failed',
    test: outcome.test,
    message: problem === undefined ? null : withoutValues(problem),
    summary: {
      ...summary,
      // Without the values: they may identify a household.
      multiline: summary.multiline && {
        ...summary.multiline,
        first: { ...summary.multiline.first, text: '' },
      },
      differing: summary.differing && { ...summary.differing, first: [] },
      rejectedBecause: summary.rejectedBecause.map(({ firstValue: _, ...reason }) => reason),
    },
    outcome,
    tooManyRejects: undefined,
  };
}

function noTest(tests: readonly string[]): string {
  return (
    'neither the folder nor the file is named after a test, such as httpget/day.csv or ' +
    `httpget-2026-11-01.csv, and --test is not given; the tests are ${tests.join(', ')}`
  );
}

function isChanged(error: unknown): boolean {
  return error instanceof FileChangedError || (error instanceof Error && isChanged(error.cause));
}
