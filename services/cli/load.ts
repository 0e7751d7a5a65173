import { createReadStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseOptions, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from '../registry/organisations.ts';
import { describeLoad } from './load/describe-load.ts';
import { planFile, type FilePlan } from './load/file-plan.ts';
import { decompressed, type InputFile, inputFiles, openInput } from './load/input-files.ts';
import { headerNames, loadStream, type LoadTarget } from './load/load-stream.ts';
import { Progress } from './load/progress.ts';
import { RejectFile } from './load/reject-file.ts';
import { testColumns, testKeys } from './load/test-columns.ts';
import { printLine } from './print-line.ts';
import { parseWait, waitForPublication, waitOptions, waitUsage } from './wait-for-publication.ts';
import { withStores } from './with-stores.ts';

export const loadCommand: Command = {
  name: 'load',
  about: "Load a test's results from CSV files",
  usage: `netpanel load --org NAME --test KEY FILE…

  FILE                 CSV with a header, plain or gzip; a pattern such as 'day-*.csv.gz'; - for
                       standard input
  --test               test key, such as httpget; results go to test_httpget
  --ignore a,b         columns of the files to ignore
  --known-agents-only  reject rows of unregistered agents instead of registering them
  --strict             stop at the first invalid row
  --rejects DIR        folder for reject files; default: beside each file
  --again              load blocks again that were loaded before, for example after a TRUNCATE
  --no-wait            return before queries know the agents that were registered
  --wait-seconds N     how long to wait for that; default: 120

Columns are matched by name, in any order. dtime (UTC) and unit_id or agent_id are required. An unknown
column stops the command before anything is loaded. Invalid rows go to FILE.rejects.csv with their line
and the reason. Loading a file again, or after an interruption, loads only missing rows.
${waitUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, options);
    if (positionals.length === 0) throw new UsageError('FILE is missing');
    const org = required(values.org, 'org');
    const test = required(values.test, 'test');
    const wait = parseWait(values);
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
        knownAgentsOnly: values['known-agents-only'],
        isStrict: values.strict,
        again: values.again,
      };
      await checkHeaders(files, target);
      for (const file of files) {
        printLine(`${file.name}: ${await loadFile(file, target, values.rejects)}`);
      }
      return waitForPublication(database, organisationId, wait);
    });
  },
};

const options = {
  org: { type: 'string' },
  test: { type: 'string' },
  ignore: { type: 'string' },
  rejects: { type: 'string' },
  strict: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
  'known-agents-only': { type: 'boolean', default: false },
  ...waitOptions,
} as const;

type FileTarget = Omit<LoadTarget, 'onRows' | 'onPlan'>;

/** Checks the headers of all files before loading any, except standard input. */
async function checkHeaders(files: readonly InputFile[], target: FileTarget): Promise<void> {
  const problems: string[] = [];
  for (const file of files) {
    if (file.path === '-') continue;
    try {
      planFile(headerNames(await firstLine(file.path)), target.columns, target);
    } catch (error) {
      problems.push(`${file.path}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nNothing was loaded.`);
}

async function firstLine(path: string): Promise<string> {
  let text = '';
  const input = decompressed(createReadStream(path, { highWaterMark: 64 * 1024 }), () => undefined);
  for await (const chunk of input as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.includes('\n') || text.length > 1024 * 1024) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

async function loadFile(
  file: InputFile,
  target: FileTarget,
  rejectsDir: string | undefined,
): Promise<string> {
  const progress = new Progress(file.name, file.sizeBytes);
  const folder = rejectsDir ?? (file.path === '-' ? '.' : dirname(file.path));
  const rejects = new RejectFile(join(folder, `${basename(file.name)}.rejects.csv`));
  try {
    const source = openInput(file, (count) => progress.addBytes(count));
    const onRows = (count: number) => progress.addRows(count);
    const onPlan = (plan: FilePlan) => printAbsentColumns(file.name, plan);
    const result = await loadStream(source, { ...target, onRows, onPlan }, rejects);
    return describeLoad(result, rejects.path);
  } catch (error) {
    throw new Error(`${file.path} was not loaded completely`, { cause: error });
  } finally {
    progress.end();
  }
}

function printAbsentColumns(name: string, { absent }: FilePlan): void {
  if (absent.length > 0) printLine(`${name}: missing columns get defaults: ${absent.join(', ')}`);
}
