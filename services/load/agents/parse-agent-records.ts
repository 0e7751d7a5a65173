import { agentColumns, type AgentRecord } from '../../registry/agents/agent-record.ts';
import { isAgentId } from '../../registry/agents/normalise-id.ts';
import { detectSeparator, parseCsv } from '../../results/csv.ts';
import { isTimezone } from '../../shared/timezones.ts';

const kinds = ['whitebox', 'cpe', 'mobile', 'web', 'cell'];

/** Parses a CSV file of agents. Throws an Error that lists the invalid rows. */
export function parseAgentRecords(text: string, blanks: BlankCells): readonly AgentRecord[] {
  const [header = [], ...rows] = parseCsv(text, detectSeparator(text.split(/\r?\n/, 1)[0] ?? ''));
  const names = header.map((name) => name.trim());
  checkHeader(names);
  const problems: string[] = [];
  const records = rows.map((row, i) => {
    const record = agentRecord(names, row, blanks);
    const problem = row.length === names.length ? agentProblem(record) : 'wrong number of columns';
    if (problem !== undefined) problems.push(`row ${i + 2}: ${problem}`);
    return record;
  });
  if (problems.length > 0) throw new Error(firstProblems(problems));
  return records;
}

/** The first problems, one per line, and the number of the others. */
export function firstProblems(problems: readonly string[]): string {
  const more = problems.length - shownProblems;
  return [...problems.slice(0, shownProblems), ...(more > 0 ? [`and ${more} more`] : [])].join(
    '\n',
  );
}

const shownProblems = 20;

function checkHeader(names: readonly string[]): void {
  const unknown = unknownAgentColumns(names);
  if (unknown.length > 0) {
    throw new Error(
      `Unknown column: ${unknown.join(', ')}. Allowed: ${agentColumns.join(', ')} and custom.<key>.`,
    );
  }
  if (!names.includes('agent_id') && !names.includes('unit_id')) {
    throw new Error('Missing column: agent_id or unit_id');
  }
}

export function unknownAgentColumns(names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => !agentColumns.some((known) => known === name) && !/^custom\..*[A-Za-z]/.test(name),
  );
}

/** What an empty cell of an ISP, package, time zone or custom field means: no change, or that the agent has none. */
export type BlankCells = 'unchanged' | 'none';

/** The agent in a row with these columns. */
export function agentRecord(
  names: readonly string[],
  row: readonly string[],
  blanks: BlankCells,
): AgentRecord {
  const cells = names.map((name, i) => [name, row[i]?.trim() ?? ''] as const);
  const given = new Map(cells.filter(([, value]) => value !== ''));
  const text = (name: string) => given.get(name) ?? null;
  const [ispOfPackage, packageName] = splitPackage(text('package'));
  const states = (...columns: readonly string[]) =>
    blanks === 'none' && columns.some((column) => names.includes(column));
  const custom = cells
    .filter(([name, value]) => name.startsWith('custom.') && (value !== '' || blanks === 'none'))
    .map(([name, value]) => [name.slice('custom.'.length), customValue(value)] as const);
  return {
    agentId: text('agent_id'),
    unitId: text('unit_id') === null ? null : Number(text('unit_id')),
    macAddress: text('mac_address'),
    kind: text('kind')?.toLowerCase() ?? null,
    base: text('base'),
    country: text('country'),
    isp: text('isp') ?? ispOfPackage,
    packageName,
    timezone: text('timezone'),
    custom: Object.fromEntries(custom),
    statesPackage: states('isp', 'package'),
    statesTimezone: states('timezone'),
  };
}

// `Comcast:100/10`. A package name may contain colons, an ISP name may not.
function splitPackage(text: string | null): readonly [string | null, string | null] {
  const colon = text?.indexOf(':') ?? -1;
  if (text === null || colon < 1) return [null, text];
  return [text.slice(0, colon), text.slice(colon + 1) || null];
}

/** `100` and `0.384` are numbers; `007`, `1e3` and `Gold` are text; an empty cell is no value. */
function customValue(text: string): string | number | null {
  if (text === '') return null;
  return /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** Why an agent cannot be imported; undefined if it can. */
export function agentProblem(record: AgentRecord): string | undefined {
  const { agentId, unitId, kind, isp, packageName, timezone } = record;
  if (agentId === null && unitId === null) return 'agent_id or unit_id is required';
  if (agentId !== null && !isAgentId(agentId))
    return `agent_id ${agentId} must contain a letter or digit`;
  if (unitId !== null && !(Number.isSafeInteger(unitId) && unitId >= 0)) {
    return 'unit_id must be a whole number of at least 0';
  }
  if (kind !== null && !kinds.includes(kind)) return `kind must be one of ${kinds.join(', ')}`;
  if (packageName !== null && isp === null)
    return 'package needs an ISP: write ISP:PACKAGE or fill the column isp';
  if (timezone !== null && !isTimezone(timezone)) {
    return `${timezone} is not a valid IANA timezone`;
  }
  return Object.values(record).some((value) => typeof value === 'string' && value.includes('\0'))
    ? 'values must not contain a zero byte'
    : undefined;
}
