import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { type TestKey, testKeys } from '../../catalog/test-tables.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { HeaderError } from '../../results/columns/file-plan.ts';
import { ZstdError } from '../../results/compression/unzstd.ts';
import { loadFile } from '../load-file.ts';
import type { LoadSettings } from '../blocks/load-target.ts';
import { MappingError } from '../mapping-error.ts';
import type { MappingSettings } from '../mapping/complete-mapping.ts';
import { problemOf } from '../summary/describe-load.ts';
import type { FileOutcome, LoadSummary } from '../summary/load-summary.ts';
import { InvalidRowError, TooManyRejects } from '../blocks/rejects.ts';
import { messagesOf } from '../../shared/errors/messages-of.ts';
import { FileChangedError, type FoundFile, type WatchedPlace } from './watched-place.ts';
import type { EndedLoad } from './watched-files.ts';

/** How the files of a place are loaded. */
export interface LoadPlan {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly organisationId: number;
  readonly place: WatchedPlace;
  /** undefined: by the name of the folder or the file. */
  readonly test: TestKey | undefined;
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
  plan: LoadPlan,
): Promise<LoadedFile | undefined> {
  const test = plan.test ?? testOfFile(file.name, testKeys) ?? null;
  try {
    if (test === null) throw new BadFileError(noTest);
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

async function load(file: FoundFile, test: TestKey, plan: LoadPlan): Promise<LoadSummary> {
  const { place, database, clickhouse, organisationId, mapping } = plan;
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
      differing: { ...summary.differing, first: [] },
      rejectedBecause: summary.rejectedBecause.map(({ firstValue: _, ...reason }) => reason),
    },
    outcome,
    tooManyRejects: undefined,
  };
}

const noTest =
  'neither the folder nor the file is named after a test, such as httpget/day.csv or ' +
  `httpget-2026-11-01.csv, and --test is not given; the tests are ${testKeys.toSorted().join(', ')}`;

function isChanged(error: unknown): boolean {
  return error instanceof FileChangedError || (error instanceof Error && isChanged(error.cause));
}

/**
 * The test of a file by the name of its folder or its own name: `httpget/day.csv`, `httpget-2026-11-01.csv`.
 * undefined: neither names a test.
 */
export function testOfFile<Test extends string>(
  name: string,
  tests: readonly Test[],
): Test | undefined {
  const folders = name.toLowerCase().split('/');
  const file = folders.pop() ?? '';
  const folder = folders
    .reverse()
    .map((part) => tests.find((test) => test === part))
    .find((test) => test !== undefined);
  // The longest, for mobile_latency and mobile_latency_extra.
  return (
    folder ??
    tests
      .filter((test) => startsWith(file, test))
      .sort(byLength)
      .at(-1)
  );
}

// dns_2026.csv and dns.csv are of dns, dnssec.csv is not.
function startsWith(file: string, test: string): boolean {
  return file.startsWith(test) && !/[a-z0-9]/.test(file.charAt(test.length));
}

function byLength(a: string, b: string): number {
  return a.length - b.length;
}

/**
 * Whether a load failed because of the content of the file, so that another attempt would fail too. All
 * other failures may be temporary: a store is unreachable, a disk is full, a permission is missing.
 */
function isBadFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof BadFileError ||
    error instanceof HeaderError ||
    error instanceof MappingError ||
    error instanceof InvalidRowError ||
    error instanceof TooManyRejects ||
    error instanceof ZstdError ||
    // zlib: the gzip data is damaged or cut short.
    String((error as NodeJS.ErrnoException).code).startsWith('Z_') ||
    isBadFile(error.cause)
  );
}

/** A file that cannot be loaded, found before it is read. */
class BadFileError extends Error {
  override readonly name = 'BadFileError';
}

/**
 * The message for the record in Postgres, without values of the file: they may identify a household, and an
 * erasure does not search the records. The log has the complete message.
 */
function recordedMessage(error: unknown): string {
  const invalidRow = causes(error).find((cause) => cause instanceof InvalidRowError);
  return withoutValues(invalidRow?.rule ?? messagesOf(error));
}

function withoutValues(message: string): string {
  // ClickHouse and Node quote with '; an apostrophe follows a letter. Postgres cannot store a NUL.
  const text = message.replace(/"(?:[^"\\]|\\.)*"|(?<!\p{L})'[^']*'/gu, '"…"');
  return text.replaceAll('\0', '').slice(0, maxCharacters);
}

const maxCharacters = 2_000;

function causes(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
