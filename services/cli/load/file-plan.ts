import { fieldCheck, requiredTime, type FieldCheck } from './field-check.ts';
import type { TestColumn } from './test-columns.ts';

/** How the columns of a file are loaded. */
export interface FilePlan {
  /** Columns of the file. */
  readonly names: readonly string[];
  /** Column names of the INSERT. A column to skip gets a name that no table has: `skipped_3`. */
  readonly insertNames: readonly string[];
  readonly checks: readonly (FieldCheck | undefined)[];
  readonly agentColumn: number;
  readonly agentIs: 'unit_id' | 'agent_id';
  /** Index of unit_id in a file that identifies agents by agent_id; -1 if absent. */
  readonly unitColumn: number;
  /** Columns of the test that get their defaults. */
  readonly absent: readonly string[];
  /** Columns of the file that are ignored. */
  readonly ignored: readonly string[];
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
  header: readonly string[],
  columns: readonly TestColumn[],
  { ignore, constants }: PlanOptions,
): FilePlan {
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  const isKnown = (name: string) => typeOf.has(name) && !(name in constants);
  const isIgnored = (name: string) =>
    (ignore === 'unknown' && !isKnown(name)) || (ignore !== 'unknown' && ignore.includes(name));
  checkHeader(header, isKnown, isIgnored);

  const agentIs = header.includes('agent_id') ? 'agent_id' : 'unit_id';
  const used = header.map((name) => isKnown(name) && !isIgnored(name));
  return {
    names: header,
    insertNames: header.map((name, i) =>
      used[i] && !isAsRegistered(name, agentIs) ? name : `skipped_${i}`,
    ),
    checks: header.map((name, i) => (used[i] ? checkOf(name, typeOf.get(name) ?? '') : undefined)),
    agentColumn: header.indexOf(agentIs),
    agentIs,
    unitColumn: agentIs === 'agent_id' ? header.indexOf('unit_id') : -1,
    absent: columns
      .map(({ name }) => name)
      .filter(
        (name) => !header.includes(name) && !(name in constants) && !filledByLoader.has(name),
      ),
    ignored: header.filter((name) => isIgnored(name)),
  };
}

/** Filled from the agent and the time when the file does not have them. */
const filledByLoader = new Set(['agent_id', 'unit_id', 'base', 'ddate']);

function checkHeader(
  header: readonly string[],
  isKnown: (name: string) => boolean,
  isIgnored: (name: string) => boolean,
): void {
  const problems: string[] = [];
  const unknown = header.filter((name) => !isKnown(name) && !isIgnored(name));
  const duplicates = header.filter((name, i) => header.indexOf(name) !== i);
  if (!header.some(isAgent)) problems.push('missing column: unit_id (or agent_id)');
  if (!header.includes('dtime')) problems.push('missing column: dtime');
  if (unknown.length > 0) {
    problems.push(`unknown column${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`);
  }
  if (duplicates.length > 0) problems.push(`duplicate column: ${duplicates.join(', ')}`);
  if (problems.length > 0) throw new HeaderError(problems.join('; '));
}

// The agent_id is stored as registered, whatever its spelling in the file.
function isAsRegistered(name: string, agentIs: FilePlan['agentIs']): boolean {
  return name === 'agent_id' || (name === 'unit_id' && agentIs === 'agent_id');
}

function isAgent(name: string): boolean {
  return name === 'agent_id' || name === 'unit_id';
}

function checkOf(name: string, type: string): FieldCheck {
  return name === 'dtime' ? requiredTime : fieldCheck(type);
}
