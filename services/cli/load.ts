import { basename } from 'node:path';
import { testTable } from '../catalog/test-tables.ts';
import { type OptionValues, orgOption, required } from './arguments.ts';
import type { Command } from './command.ts';
import { InvalidInput } from '../shared/errors/invalid-input.ts';
import {
  agentsMapping,
  agentsSection,
  type AgentsSection,
  weightKeys,
} from '../load/agents/agents-section.ts';
import { DescribedAgents } from '../load/agents/described-agents.ts';
import { importRelease } from '../metadata/history/import-release.ts';
import {
  parsePeriod,
  type Period,
  periodOf,
  withoutPeriod,
  withPeriod,
} from '../load/agents/period-columns.ts';
import { copiedInput } from '../load/input/copied-input.ts';
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
import { mappingSaver, type MappingRequest } from '../load/mapping/complete-mapping.ts';
import { RefusedFileError } from '../load/mapping-error.ts';
import {
  asUsageError,
  mappingOptions,
  mappingOptionsUsage,
  mappingSettings,
} from './load/mapping-options.ts';
import { localFile, readSource } from '../load/open-input.ts';
import { LoadReport } from './load/load-report.ts';
import { customLimitSettings } from '../registry/organisations/custom-limits.ts';
import { cliSettings } from './config.ts';
import { UsageError } from '../shared/errors/usage-error.ts';
import { queryRows } from '../shared/clickhouse/query-rows.ts';
import { parseWait, waitAfterLoad } from './wait-for-publication.ts';
import { subcommand } from './subcommands.ts';
import { withOrganisation } from './with-stores.ts';

const options = {
  ...orgOption,
  test: { type: 'string' },
  ...mappingOptions,
  period: { type: 'string' },
  'no-agents': { type: 'boolean', default: false },
  rewrite: { type: 'boolean', default: false },
  ...loadOptions,
} as const;

export const loadCommand: Command = {
  about: "Load a test's results from CSV, JSON, Parquet or XLSX files",
  usage: `netpanel load --org NAME --test KEY FILE…

  FILE                 CSV with a header, NDJSON, a JSON array of objects, Parquet or XLSX; texts
                       plain, gzip or zstd; a pattern such as 'day-*.csv.gz'; - for standard input
  --test               test key, such as httpget; results go to test_httpget
${mappingOptionsUsage}
  --period FROM/TO     first and last day that the rows describe, such as 2022-05-01/2022-05-31:
                       fills dtime and, for the test panel, period_end
  --no-agents          load only the results, without the metadata that the mapping describes
  --rewrite            let that metadata replace other values that are recorded from the same day on
${loadOptionsUsage}

Columns are matched by name, in any order. dtime (UTC) and unit_id or agent_id are required. An unknown
column stops the command before anything is loaded. Separators (comma, semicolon, tab) and encodings are
detected. Invalid rows go to FILE.rejects.csv with their line, column, value and the reason. Loading a
file again, or after an interruption, loads only missing rows. Expressions of --map have columns of the
file (in double quotes if necessary), numbers, 'text', + - * /, parentheses and functions: docs/loading.md.

${exitCodesUsage}`,

  run: subcommand(options, 'FILE…', async (values, _first, paths) => {
    const mapping = mappingSettings(values);
    const testName = required(values.test ?? mapping.file?.test, 'test');
    const wait = parseWait(values);
    const settings = loadSettings(values);
    const inputs = inputFiles(paths);
    const agents = agentSettings(values, mapping, inputs);
    return withOrganisation(values.org, async ({ database, organisationId, clickhouse }) => {
      const test = knownTest(testName);
      const files = test === 'panel' ? await copiedInput(inputs) : inputs;
      // Fails now, not after the agents are imported, if ClickHouse is not reachable.
      await queryRows(clickhouse, 'SELECT 1');
      const period = periodOf(agents.period, mapping, test);
      const save = mappingSaver(mapping, test);
      const target = {
        database,
        clickhouse,
        organisationId,
        test,
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
  }),
};

function asInvalidInput(error: unknown): never {
  if (error instanceof RefusedFileError) throw new InvalidInput(error.message, { cause: error });
  throw error;
}

interface AgentSettings {
  readonly period: Period | undefined;
  /** What the mapping says about agents, if it is to be imported. */
  readonly section: AgentsSection | undefined;
  readonly mayRewrite: boolean;
}

/** Throws a UsageError for an invalid value. */
function agentSettings(
  values: OptionValues<typeof options>,
  mapping: MappingRequest,
  inputs: readonly InputFile[],
): AgentSettings {
  const section = values['no-agents'] ? undefined : asUsageError(() => agentsSection(mapping));
  const period = statedPeriod(values.period, mapping);
  if (section !== undefined && values['known-agents-only']) {
    throw new UsageError('--known-agents-only needs --no-agents: the mapping describes new agents');
  }
  if (section !== undefined && inputs.some(({ path }) => path === '-')) {
    throw new UsageError(
      'Standard input can be read only once, but the mapping also describes agents: save it as a file, ' +
        'or use --no-agents',
    );
  }
  return { period, section, mayRewrite: values.rewrite };
}

/** That of --period, or of the mapping file. */
function statedPeriod(
  option: string | undefined,
  { file, preset }: MappingRequest,
): Period | undefined {
  const ofFile = file?.period;
  if (option !== undefined && ofFile !== undefined && option !== ofFile) {
    const name = preset === undefined ? 'the mapping file' : `the preset ${preset}`;
    throw new UsageError(`--period ${option} does not match ${name}, which is of ${ofFile}`);
  }
  const text = option ?? ofFile;
  return text === undefined ? undefined : parsePeriod(text);
}

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
  const described = new DescribedAgents(agentsMapping(section, target.mapping, target.test));
  for (const { path, name } of files) {
    await readSource(localFile(path), target, described.reader(name));
  }
  const { columnsRead, fromUtc } = described;
  const release = {
    source: files.map(({ name }) => basename(name)).join(', '),
    records: described.records(),
    weights: weightKeys(section),
    title: files.length > 1 ? 'files' : 'file',
    ...(testTable(target.test).agents === 'cells' && { agents: 'cells' as const }),
    advice: 'Use --rewrite to replace them, or --no-agents to load only the results.',
  };
  const limits = cliSettings(customLimitSettings);
  const options = { ...target, fromUtc, mayRewrite, limits };
  report.note(await importRelease(target.database, release, options));
  return columnsRead;
}
