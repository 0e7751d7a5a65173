import { basename } from 'node:path';
import { parseOptions, required } from './arguments.ts';
import { type Command, InvalidInput, UsageError } from './command.ts';
import {
  agentOptions,
  agentOptionsUsage,
  type AgentSettings,
  agentSettings,
  periodOf,
} from './load/agent-options.ts';
import { agentsMapping } from '../load/agents/agents-section.ts';
import { DescribedAgents } from '../load/agents/described-agents.ts';
import { importRelease } from './agents/import-release.ts';
import { withoutPeriod, withPeriod } from '../load/agents/period-columns.ts';
import { type InputFile, inputFiles } from '../load/input/input-files.ts';
import {
  exitCodesUsage,
  knownTest,
  loadOptions,
  loadOptionsUsage,
  loadSettings,
} from './load/load-options.ts';
import { checkHeaders, type FileTarget, loadFiles } from '../load/load-file.ts';
import type { Mapping } from '../load/mapping/compile-mapping.ts';
import { checkMarks } from '../load/check-marks.ts';
import { mappingSaver } from '../load/mapping/complete-mapping.ts';
import { mappingOptions, mappingOptionsUsage, mappingSettings } from './load/mapping-options.ts';
import { RefusedFileError } from '../load/mapping-error.ts';
import { localFile, readSource } from '../load/open-input.ts';
import { LoadReport } from './load/load-report.ts';
import { queryRows } from '../shared/clickhouse/query-rows.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import { withOrganisation } from './with-stores.ts';

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
    const testName = required(values.test ?? mapping.file?.test, 'test');
    const wait = parseWait(values);
    const settings = loadSettings(values);
    const files = inputFiles(positionals);
    const agents = agentSettings(values, mapping, files);
    return withOrganisation(org, async (database, organisationId, clickhouse) => {
      const test = knownTest(testName);
      // Fails now, not after the agents are imported, if ClickHouse is not reachable.
      await queryRows(clickhouse, 'SELECT 1');
      const period = periodOf(agents, mapping, test);
      const save = mappingSaver(mapping, test);
      const target = {
        database,
        clickhouse,
        organisationId,
        test,
        constants: {},
        fallbacks: {},
        ignore: (values.ignore ?? '').split(',').filter((name) => name !== ''),
        ...settings,
        mapping: withPeriod(mapping, period),
        saveMapping: (used: Mapping, isChecked: boolean) =>
          save(withoutPeriod(used, period), isChecked),
      };
      await checkHeaders(files, target);
      await checkMarks(files, target);
      const report = new LoadReport(settings);
      const agentColumns = await importAgents(files, agents, target, report);
      const outcomes = loadFiles(files, target, agentColumns);
      const exitCode = await report.addAll(outcomes, settings.rejectLimit);
      if (settings.isDryRun) return exitCode;
      return waitAfterLoad(exitCode, database, organisationId, wait);
    }).catch(asInvalidInput);
  },
};

function asInvalidInput(error: unknown): never {
  if (error instanceof RefusedFileError) throw new InvalidInput(error.message, { cause: error });
  throw error;
}

const options = {
  org: { type: 'string' },
  test: { type: 'string' },
  ignore: { type: 'string' },
  ...mappingOptions,
  ...agentOptions,
  ...loadOptions,
} as const;

/**
 * Imports the agents that the rows of all files describe, in one transaction: a release that begins with the first
 * result. Returns the columns that describe agents, none if the mapping has none.
 */
async function importAgents(
  files: readonly InputFile[],
  { section, mayRewrite }: AgentSettings,
  target: FileTarget,
  report: LoadReport,
): Promise<ReadonlySet<string>> {
  if (section === undefined) return new Set();
  const described = new DescribedAgents(agentsMapping(section, target.mapping));
  for (const { path, name } of files) {
    await readSource(localFile(path), target, described.reader(name));
  }
  const { columnsRead, fromUtc } = described;
  const release = {
    source: files.map(({ name }) => basename(name)).join(', '),
    records: described.records(),
    title: files.length > 1 ? 'files' : 'file',
    advice: 'Use --rewrite to replace them, or --no-agents to load only the results.',
  };
  const options = { ...target, fromUtc, mayRewrite };
  report.note(await importRelease(target.database, release, options));
  return columnsRead;
}
