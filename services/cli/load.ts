import { basename, dirname, join } from 'node:path';
import { parseOptions, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from '../registry/organisations.ts';
import { testColumns, testKeys } from './load/columns/test-columns.ts';
import { type InputFile, inputFiles, readInput } from './load/input/input-files.ts';
import { openText } from './load/input/open-text.ts';
import { type FileTarget, loadFile } from './load/load-file.ts';
import {
  exitCodesUsage,
  loadOptions,
  loadOptionsUsage,
  type LoadSettings,
  loadSettings,
} from './load/load-options.ts';
import { planHeader } from './load/open-file.ts';
import { LoadReport } from './load/summary/load-report.ts';
import { TooManyRejects } from './load/summary/reject-limit.ts';
import { messagesOf } from './messages-of.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import { withStores } from './with-stores.ts';

export const loadCommand: Command = {
  name: 'load',
  about: "Load a test's results from CSV files",
  usage: `netpanel load --org NAME --test KEY FILE…

  FILE                 CSV with a header, plain or gzip; a pattern such as 'day-*.csv.gz'; - for
                       standard input
  --test               test key, such as httpget; results go to test_httpget
  --ignore a,b         columns of the files to ignore
${loadOptionsUsage}

Columns are matched by name, in any order. dtime (UTC) and unit_id or agent_id are required. An unknown
column stops the command before anything is loaded. Separators (comma, semicolon, tab) and encodings are
detected. Invalid rows go to FILE.rejects.csv with their line, column, value and the reason. Loading a
file again, or after an interruption, loads only missing rows.

${exitCodesUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, options);
    if (positionals.length === 0) throw new UsageError('FILE is missing');
    const org = required(values.org, 'org');
    const test = required(values.test, 'test');
    const wait = parseWait(values);
    const settings = loadSettings(values);
    const files = inputFiles(positionals);
    return withStores(async (database, clickhouse) => {
      const organisationId = await findOrganisation(database, org);
      const columns = await testColumns(clickhouse, test);
      if (columns.length === 0) {
        throw new UsageError(
          `Unknown test "${test}". Allowed: ${(await testKeys(clickhouse)).join(', ')}.`,
        );
      }
      const target = {
        database,
        clickhouse,
        organisationId,
        test,
        columns,
        constants: {},
        fallbacks: {},
        ignore: (values.ignore ?? '').split(',').filter((name) => name !== ''),
        ...settings,
      };
      await checkHeaders(files, target);
      const exitCode = await loadFiles(files, target, new LoadReport(settings));
      if (settings.isDryRun) return exitCode;
      return waitAfterLoad(exitCode, database, organisationId, wait);
    });
  },
};

const options = {
  org: { type: 'string' },
  test: { type: 'string' },
  ignore: { type: 'string' },
  ...loadOptions,
} as const;

/** Checks the headers of all files before loading any, except standard input. */
async function checkHeaders(files: readonly InputFile[], target: FileTarget): Promise<void> {
  const problems: string[] = [];
  for (const file of files) {
    if (file.path === '-') continue;
    try {
      planHeader(await firstLine(file.path, target), target);
    } catch (error) {
      problems.push(`${file.path}: ${messagesOf(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nNothing was loaded.`);
}

async function firstLine(path: string, { encoding }: LoadSettings): Promise<string> {
  let text = '';
  const { content } = openText(readInput(path), { encoding });
  for await (const chunk of content as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.includes('\n') || text.length > 1024 * 1024) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

async function loadFiles(
  files: readonly InputFile[],
  target: FileTarget,
  report: LoadReport,
): Promise<number> {
  try {
    for (const file of files) {
      const folder = target.rejectsDir ?? (file.path === '-' ? '.' : dirname(file.path));
      const rejectFile = join(folder, `${basename(file.name)}.rejects.csv`);
      const source = { ...file, rejectFile, open: () => readInput(file.path) };
      const summary = await loadFile(source, target);
      report.add({ file: file.name, test: null, status: 'loaded', ...summary });
      target.rejectLimit.endOfFile(summary.rowsRead);
    }
  } catch (error) {
    if (error instanceof TooManyRejects) return report.end(error);
    throw error;
  }
  return report.end();
}
