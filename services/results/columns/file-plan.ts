import { maskableColumns, maskedColumn } from '../../catalog/masked.ts';
import { metrics } from '../../catalog/metrics.ts';
import { cellColumns } from '../../catalog/published-cells.ts';
import {
  hasColumn,
  type TestColumn,
  testColumns,
  type TestKey,
} from '../../catalog/test-tables.ts';
import {
  fieldCheck,
  type FieldCheck,
  maskedWords,
  requiredDate,
  requiredTime,
} from '../fields/field-check.ts';

/** How the columns of a file are loaded. */
export interface FilePlan {
  /** Columns of the file, as the test spells them: `DTIME` is dtime. */
  readonly names: readonly string[];
  /** Column names of the INSERT. A column to skip gets a name that no table has: `skipped_3`. */
  readonly insertNames: readonly string[];
  readonly checks: readonly (FieldCheck | undefined)[];
  /** Columns that identify a result, besides the agent. */
  readonly isKey: readonly boolean[];
  /** Columns that a row must have a value in. */
  readonly required: readonly RequiredField[];
  readonly timeColumn: number;
  readonly agentColumn: number;
  readonly agentIs: 'unit_id' | 'agent_id';
  /** Index of unit_id in a file that identifies agents by agent_id; -1 if absent. */
  readonly unitColumn: number;
  /** Columns of the test that get their defaults. */
  readonly absent: readonly string[];
  /** Columns of the file that are ignored. */
  readonly ignored: readonly string[];
}

/** A column without a usable default. */
export interface RequiredField {
  readonly name: string;
  /** -1 if the file does not have it. */
  readonly column: number;
  /** Only where these columns are above 0. */
  readonly whenPositive: readonly number[];
}

export interface PlanOptions {
  /** Columns to ignore, or every unknown column. */
  readonly ignore: 'unknown' | readonly string[];
  /** Columns with one value for the whole file, such as ip_version. */
  readonly constants: Readonly<Record<string, string | number>>;
}

export class HeaderError extends Error {
  override readonly name = 'HeaderError';
}

/** Matches a header with a test's columns by name. Throws a HeaderError with every problem. */
export function planFile(
  titles: readonly string[],
  test: TestKey,
  { ignore, constants }: PlanOptions,
): FilePlan {
  const columns = testColumns(test);
  const columnOf = new Map(columns.map((column) => [column.name, column]));
  const header = titles.map((title) => columnName(title, columnOf));
  const isKnown = (name: string) => columnOf.has(name) && !(name in constants);
  const isIgnored = (name: string) =>
    isUnnamed(name) ||
    (ignore === 'unknown' && !isKnown(name)) ||
    (ignore !== 'unknown' && ignore.some((ignored) => sameName(ignored, name)));
  checkIsHeader(titles, header, columnOf);
  checkHeader(header, columns, isKnown, isIgnored);

  const agentIs = header.includes('agent_id') ? 'agent_id' : 'unit_id';
  const used = header.map((name) => isKnown(name) && !isIgnored(name));
  return {
    names: header,
    insertNames: header.map((name, i) =>
      used[i] && !isAsRegistered(name, agentIs) ? name : `skipped_${i}`,
    ),
    checks: header.map((name, i) => (used[i] ? checkOf(name, columnOf.get(name)) : undefined)),
    isKey: header.map((name, i) => used[i] === true && columnOf.get(name)?.isKey === true),
    required: valueColumns(test)
      .filter(({ name }) => !(name in constants))
      .map(({ name, whenPositive }) => ({
        name,
        column: used[header.indexOf(name)] === true ? header.indexOf(name) : -1,
        whenPositive: whenPositive.map((condition) => header.indexOf(condition)),
      }))
      // Without the column, the condition is never true: its default is 0.
      .filter(({ whenPositive }) => !whenPositive.includes(-1)),
    timeColumn: header.indexOf('dtime'),
    agentColumn: header.indexOf(agentIs),
    agentIs,
    unitColumn: agentIs === 'agent_id' ? header.indexOf('unit_id') : -1,
    absent: columns
      .map(({ name }) => name)
      .filter((name) => !header.includes(name) && !(name in constants) && !filledColumns.has(name))
      .filter((name) => !publishedColumns.has(name)),
    ignored: header.filter(isIgnored).map((name) => (isUnnamed(name) ? 'unnamed' : name)),
  };
}

/** Filled from the agent and the time when the file does not have them. */
export const filledColumns = new Set(['agent_id', 'unit_id', 'base', 'ddate']);

/** No publication has all of them. A missing one is NULL, which is no value, or a count of 0. */
const publishedColumns = new Set([
  ...maskableColumns,
  maskedColumn,
  ...cellColumns.map(({ name }) => name),
]);

function columnName(title: string, columnOf: ReadonlyMap<string, TestColumn>): string {
  const lower = title.toLowerCase();
  return columnOf.has(lower) ? lower : title;
}

// The index column of pandas and of R's write.csv.
function isUnnamed(name: string): boolean {
  return name === '' || /^Unnamed: \d+$/.test(name);
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Tells a file without a header from a header with unknown columns. */
function checkIsHeader(
  titles: readonly string[],
  header: readonly string[],
  columnOf: ReadonlyMap<string, TestColumn>,
): void {
  if (titles.length === 0) throw new HeaderError('the file is empty');
  if (header.some((name) => columnOf.has(name)) || !titles.some(isValue)) return;
  throw new HeaderError(
    'the file has no header: line 1 must name the columns, such as unit_id and dtime, but is ' +
      JSON.stringify(titles.join(',').slice(0, shownCharacters)),
  );
}

/** A number or a time. Columns have other names. */
function isValue(title: string): boolean {
  return /^-?\d+(\.\d+)?$|^\d{4}-\d\d-\d\d/.test(title);
}

const shownCharacters = 100;

function checkHeader(
  header: readonly string[],
  columns: readonly TestColumn[],
  isKnown: (name: string) => boolean,
  isIgnored: (name: string) => boolean,
): void {
  const problems: string[] = [];
  const required = columns.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const unknown = header.filter((name) => !isKnown(name) && !isIgnored(name));
  const duplicates = header.filter((name, i) => !isUnnamed(name) && header.indexOf(name) !== i);
  if (!header.some(isAgent)) problems.push('missing column: unit_id (or agent_id)');
  for (const name of required) {
    if (!header.includes(name)) problems.push(`missing column: ${name}${periodHint(required)}`);
  }
  if (unknown.length > 0) {
    problems.push(`unknown column${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`);
  }
  if (duplicates.length > 0) problems.push(`duplicate column: ${duplicates.join(', ')}`);
  if (unknown.length > 0) {
    const known = columns.map(({ name }) => name).filter(isKnown);
    problems.push(`the columns of the test are ${known.join(', ')}`);
  }
  if (problems.length > 0) throw new HeaderError(problems.join('; '));
}

function periodHint(required: readonly string[]): string {
  return required.includes('period_end') ? ' (or use --period 2022-05-01/2022-05-31)' : '';
}

// The agent_id is stored as registered, even if the file spells it differently.
function isAsRegistered(name: string, agentIs: FilePlan['agentIs']): boolean {
  return name === 'agent_id' || (name === 'unit_id' && agentIs === 'agent_id');
}

function isAgent(name: string): boolean {
  return name === 'agent_id' || name === 'unit_id';
}

function checkOf(name: string, column: TestColumn | undefined): FieldCheck {
  if (name === maskedColumn) return maskedWords;
  if (column?.isRequired) return column.type === 'Date' ? requiredDate : requiredTime;
  return fieldCheck(column?.type ?? '', column?.isKey === true || isAgent(name));
}

/**
 * The columns whose default would be a wrong value: a successful download without bytes_sec would count as 0 Mbit/s. A
 * column that the condition of its metric names is not required, because a row without it is no result of that metric.
 * `whenPositive`: only where these columns are above 0, such as `successes`, because a failed test has no speed.
 */
export function valueColumns(test: TestKey) {
  const found = new Map<string, { readonly name: string; readonly whenPositive: string[] }>();
  for (const { measure, existsWhen, ...metric } of metrics) {
    // A publication may have any of the statistics of a cell.
    if (metric.test !== test || measure.kind !== 'value' || metric.stored) continue;
    const whenPositive = [...existsWhen.matchAll(/(\w+) > 0/g)].map(([, name = '']) => name);
    const names = wordsIn(measure.value).filter((name) => hasColumn(test, name));
    for (const name of names.filter((name) => !wordsIn(existsWhen).includes(name))) {
      found.set(`${name} ${whenPositive.join(' ')}`, { name, whenPositive });
    }
  }
  return [...found.values()];
}

function wordsIn(sql: string): readonly string[] {
  return sql.match(/\w+/g) ?? [];
}
