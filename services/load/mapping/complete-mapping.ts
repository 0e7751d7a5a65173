import { rmSync } from 'node:fs';
import { nearest } from '../../shared/nearest.ts';
import { columnsOfTest, commonColumns, type TestKey } from '../../catalog/test-tables.ts';
import { agentColumns } from '../../registry/agents/agent-record.ts';
import { UsageError } from '../../shared/errors/usage-error.ts';
import type { Mapping } from './compile-mapping.ts';
import { markColumns } from './gather-marks.ts';
import { MappingError } from '../mapping-error.ts';
import type { InputFormat } from '../input/input-format.ts';
import { type MappingFile, writeMappingFile } from './mapping-file.ts';

/** What a file is mapped with. */
export interface MappingRequest {
  /** Of --mapping or --preset. It lists all columns. */
  readonly file: MappingFile | undefined;
  /** The name of --preset. */
  readonly preset?: string | undefined;
  /** Of --map, by target. They replace those of the file. */
  readonly columns: Readonly<Record<string, string>>;
  /** Also of --map: the columns of agents. They replace those of the file. */
  readonly agents: Readonly<Record<string, string>>;
}

export interface MappingSettings extends MappingRequest {
  /** Columns of the file that are not taken by their names. */
  readonly ignore: readonly string[];
  /** undefined: detected. */
  readonly format: InputFormat | undefined;
  readonly saveTo: string | undefined;
}

/** Whether a file is mapped, so that its other columns are ignored. */
export function hasMapping({ file, columns, agents }: MappingRequest): boolean {
  return file !== undefined || Object.keys({ ...columns, ...agents }).length > 0;
}

/** The values of --map. Throws a UsageError. */
export function parseMaps(texts: readonly string[]): Pick<MappingRequest, 'columns' | 'agents'> {
  const columns = new Map<string, string>();
  const agents = new Map<string, string>();
  for (const text of texts) {
    const [, target, expression = ''] = /^\s*(custom\.[^=]*[^=\s]|\w+)\s*=(.*)$/is.exec(text) ?? [];
    if (target === undefined || expression.trim() === '') {
      throw new UsageError(
        `--map must be TARGET=EXPRESSION such as bytes_sec=download_mbps*125000, not "${text}"`,
      );
    }
    const isCustom = /^custom\./i.test(target);
    // The keys of custom fields are case-sensitive.
    const name = isCustom ? target.replace(/^custom/i, 'custom') : target.toLowerCase();
    const maps = isCustom || agentFields.includes(name) ? agents : columns;
    if (maps.has(name)) throw new UsageError(`--map ${name}=… is given twice`);
    maps.set(name, expression.trim());
  }
  return { columns: Object.fromEntries(columns), agents: Object.fromEntries(agents) };
}

/** Fields of agents that no test has as a column. */
const agentFields: readonly string[] = agentColumns.filter(
  (name) => !commonColumns.some((common) => common === name),
);

/**
 * The mapping of a file with these columns. Without a mapping file, columns with the names of the test's
 * columns are used unchanged. Other columns are ignored if there is a mapping, or if the file is NDJSON or JSON,
 * which often has more; in CSV, Parquet and XLSX files without a mapping they are an error.
 */
export function completeMapping(
  request: MappingRequest & Pick<MappingSettings, 'ignore'>,
  sourceColumns: readonly string[],
  test: TestKey,
  format: InputFormat,
): Mapping {
  const { file, columns, ignore } = request;
  const names = targetsOf(test);
  const ignored = new Set(ignore.map((name) => name.toLowerCase()));
  const others = sourceColumns.filter((name) => !ignored.has(name.toLowerCase()));
  const sameNames = others
    .filter((name) => names.includes(name.toLowerCase()))
    .map((name) => [name.toLowerCase(), `"${name.replaceAll('"', '""')}"`] as const);
  if (!hasMapping(request) && format !== 'ndjson' && format !== 'json') {
    checkNoUnknown(others.filter((name) => !names.includes(name.toLowerCase())));
  }
  const given = file?.columns ?? Object.fromEntries(sameNames);
  const { values = {}, blank = [] } = file ?? {};
  return { columns: { ...given, ...columns }, values, blank };
}

/** The columns that a file may fill. */
function targetsOf(test: TestKey): readonly string[] {
  return [...columnsOfTest(test), ...(test === 'panel' ? markColumns : [])];
}

function checkNoUnknown(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const columns = unknown.length > 1 ? 'columns' : 'column';
  throw new MappingError(`unknown ${columns}: ${unknown.join(', ')}`);
}

/** Throws a MappingError with every problem of the target columns. */
export function checkTargets({ columns }: Mapping, test: TestKey): void {
  const names = targetsOf(test);
  const targets = Object.keys(columns);
  const unknown = targets.filter((target) => !names.includes(target));
  const meant = unknown.map((target) => nearest(target, names));
  const problems = unknown.map((target, i) => {
    const hint = meant[i] === undefined ? '' : ` Did you mean ${meant[i]}?`;
    return `unknown column of the test: ${target}.${hint}`;
  });
  if (meant.includes(undefined)) problems.push(`The test has: ${columnsOfTest(test).join(', ')}.`);
  if (!targets.includes('dtime')) {
    problems.push(
      `no column gives dtime: add --map dtime=COLUMN, or --map "dtime='2026-11-01'" for all rows`,
    );
  }
  if (!targets.includes('unit_id') && !targets.includes('agent_id')) {
    problems.push('no column gives the agent: add --map unit_id=COLUMN or --map agent_id=COLUMN');
  }
  if (problems.length > 0) throw new MappingError(problems.join('\n'));
}

/** Writes the first mapping that is complete, or the first one if none is. */
export function mappingSaver(
  { saveTo, file, agents }: MappingSettings,
  test: string,
): (mapping: Mapping, isChecked: boolean) => void {
  let saved: 'none' | 'unchecked' | 'checked' = 'none';
  return ({ columns, values = {} }, isChecked) => {
    if (saveTo === undefined || saved === 'checked' || (saved === 'unchecked' && !isChecked))
      return;
    const tables = Object.keys(values).length === 0 ? {} : { values };
    const section = { ...(file?.agents as object | undefined), ...agents };
    const ofAgents = Object.keys(section).length === 0 ? {} : { agents: section };
    if (saved === 'unchecked') rmSync(saveTo);
    writeMappingFile(saveTo, { ...file, test, columns, ...tables, ...ofAgents });
    saved = isChecked ? 'checked' : 'unchecked';
  };
}
