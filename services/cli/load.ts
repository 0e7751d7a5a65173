import { basename, dirname, join } from 'node:path';
import { parseOptions, required } from './arguments.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganisation } from '../registry/organisations.ts';
import {
  agentOptions,
  agentOptionsUsage,
  type AgentSettings,
  agentSettings,
  periodOf,
} from './load/agents/agent-options.ts';
import { agentsMapping } from './load/agents/agents-section.ts';
import { importDescribedAgents } from './load/agents/import-described-agents.ts';
import { withoutPeriod, withPeriod } from './load/agents/period-columns.ts';
import { testColumns, testKeys } from '../results/columns/test-columns.ts';
import { type InputFile, inputFiles } from './load/input/input-files.ts';
import {
  exitCodesUsage,
  loadOptions,
  loadOptionsUsage,
  loadSettings,
} from './load/load-options.ts';
import { type FileTarget, loadFile } from './load/load-file.ts';
import type { Mapping } from './load/mapping/compile-mapping.ts';
import {
  mappingOptions,
  mappingOptionsUsage,
  mappingSaver,
  mappingSettings,
} from './load/mapping/mapping-options.ts';
import { planHeader } from './load/open-file.ts';
import { localFile, openInput, readSource } from './load/open-input.ts';
import type { SourceReader } from './load/sources/source-rows.ts';
import { LoadReport } from './load/summary/load-report.ts';
import { TooManyRejects } from './load/summary/reject-limit.ts';
import { messagesOf } from '../shared/errors/messages-of.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import { withStores } from './with-stores.ts';

export const loadCommand: Command = {
  about: "Load a test's results from CSV, JSON, Parquet or XLSX files",
  usage: `netpanel load --org NAME --test KEY FILE…

  FILE                 CSV with a header, NDJSON, a JSON array of objects, Parquet or XLSX; texts
                       plain, gzip or zstd; a pattern such as 'day-*.csv.gz'; - for standard input
  --test               test key, such as httpget; results go to test_httpget
  --ignore a,b         columns of the files to ignore
${mappingOptionsUsage}
${agentOptionsUsage}
${loadOptionsUsage}

Columns are matched by name, in any order. dtime (UTC) and unit_id or agent_id are required. An unknown
column stops the command before anything is loaded. Separators (comma, semicolon, tab) and encodings are
detected. Invalid rows go to FILE.rejects.csv with their line, column, value and the reason. Loading a
file again, or after an interruption, loads only missing rows. Expressions of --map have columns of the
file (in double quotes if necessary), numbers, 'text', + - * /, parentheses and functions: docs/loading.md.

${exitCodesUsage}`,

  async run(args) {
    const { values, positionals } = parseOptions(args, options);
    if (positionals.length === 0) throw new UsageError('FILE is missing');
    const org = required(values.org, 'org');
    const mapping = mappingSettings(values);
    const test = required(values.test ?? mapping.file?.test, 'test');
    const wait = parseWait(values);
    const settings = loadSettings(values);
    const files = inputFiles(positionals);
    const agents = agentSettings(values, mapping, files);
    return withStores(async (database, clickhouse) => {
      const organisationId = await findOrganisation(database, org);
      const columns = await testColumns(clickhouse, test);
      if (columns.length === 0) {
        throw new UsageError(
          `Unknown test "${test}". Allowed: ${(await testKeys(clickhouse)).join(', ')}.`,
        );
      }
      const period = periodOf(agents, mapping, columns);
      const save = mappingSaver(mapping, test);
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
        mapping: withPeriod(mapping, period),
        saveMapping: (used: Mapping, isChecked: boolean) =>
          save(withoutPeriod(used, period), isChecked),
      };
      await checkHeaders(files, target);
      const report = new LoadReport(settings);
      const agentColumns = await importAgents(files, agents, target, report);
      const exitCode = await loadFiles(files, { ...target, agentColumns }, report);
      if (settings.isDryRun) return exitCode;
      return waitAfterLoad(exitCode, database, organisationId, wait);
    });
  },
};

const options = {
  org: { type: 'string' },
  test: { type: 'string' },
  ignore: { type: 'string' },
  ...mappingOptions,
  ...agentOptions,
  ...loadOptions,
} as const;

/** Checks the headers of all files before loading any, except standard input. */
async function checkHeaders(files: readonly InputFile[], target: FileTarget): Promise<void> {
  const filesByProblem = new Map<string, string[]>();
  for (const file of files) {
    if (file.path === '-') continue;
    try {
      planHeader(await firstLine(file.path, target), target);
    } catch (error) {
      const problem = messagesOf(error);
      filesByProblem.set(problem, [...(filesByProblem.get(problem) ?? []), file.path]);
    }
  }
  if (filesByProblem.size === 0) return;
  const problems = [...filesByProblem].map(([problem, paths]) => `${paths.join(', ')}: ${problem}`);
  const { saveTo } = target.mapping;
  const saved = saveTo === undefined ? '' : ` The mapping is in ${saveTo}: complete it there.`;
  throw new Error(`${problems.join('\n')}\nNothing was loaded.${saved}`);
}

async function firstLine(path: string, target: FileTarget): Promise<string> {
  let text = '';
  const { content } = await openInput(localFile(path), target, {
    ...(target.saveMapping && { onMapping: target.saveMapping }),
  });
  for await (const chunk of content as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.includes('\n') || text.length > 1024 * 1024) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

/** Imports what the files say about agents, if the mapping has that. Returns the columns that say it. */
async function importAgents(
  files: readonly InputFile[],
  { section, mayRewrite }: AgentSettings,
  target: FileTarget,
  report: LoadReport,
): Promise<ReadonlySet<string>> {
  if (section === undefined) return new Set();
  const mapping = agentsMapping(section, target.mapping);
  const read = (input: InputFile, reader: SourceReader) =>
    readSource(localFile(input.path), target, reader);
  const imported = await importDescribedAgents(files, mapping, { ...target, mayRewrite, read });
  report.note(imported.note);
  return imported.columnsRead;
}

async function loadFiles(
  files: readonly InputFile[],
  target: FileTarget & { readonly agentColumns: ReadonlySet<string> },
  report: LoadReport,
): Promise<number> {
  try {
    for (const file of files) {
      const folder = target.rejectsDir ?? (file.path === '-' ? '.' : dirname(file.path));
      const rejectFile = join(folder, `${basename(file.name)}.rejects.csv`);
      const summary = await loadFile({ ...localFile(file.path), ...file, rejectFile }, target);
      const ignoredColumns = summary.ignoredColumns.filter(
        (name) => !target.agentColumns.has(name),
      );
      report.add({ file: file.name, test: null, status: 'loaded', ...summary, ignoredColumns });
      target.rejectLimit.endOfFile(summary.rowsRead);
    }
  } catch (error) {
    if (error instanceof TooManyRejects) return report.end(error);
    throw error;
  }
  return report.end();
}
