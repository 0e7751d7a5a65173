import { type TestKey, testTable } from '../../catalog/test-tables.ts';
import { AgentDirectory, type DirectoryOptions } from '../agents/agent-directory.ts';
import type { FilePlan, PlanOptions } from '../columns/file-plan.ts';
import type { Separator } from '../csv.ts';
import type { FieldCheck } from '../fields/field-check.ts';
import { DuplicateKeys } from './duplicate-keys.ts';
import { RowScanner } from './row-scanner.ts';

/** What the rows of a file or request are checked against. */
export interface RowsTarget
  extends
    Pick<DirectoryOptions, 'organisationId' | 'inDatabase' | 'findAgents' | 'excludedUnits'>,
    PlanOptions {
  readonly test: TestKey;
  /** How far in the future the time of a result may be. */
  readonly maxAheadS: number;
}

/** Rows whose columns are known. */
export interface OpenRows {
  readonly plan: FilePlan;
  readonly separator: Separator;
  readonly agents: AgentDirectory;
  readonly scanner: RowScanner;
  readonly keys: DuplicateKeys;
  /** Columns of the INSERT. */
  readonly insertNames: readonly string[];
}

interface RowsFormat {
  readonly separator: Separator;
  /** Line of the first row. */
  readonly firstLine: number;
  /** Of the first table of keys; a request has fewer rows than a file. */
  readonly keySlots?: number;
}

export function openRows(
  plan: FilePlan,
  { separator, firstLine, keySlots }: RowsFormat,
  target: RowsTarget,
): OpenRows {
  const { test, constants, maxAheadS } = target;
  // The agent columns that the rows have themselves.
  const fileHas = {
    unitId: plan.insertNames.includes('unit_id'),
    base: plan.insertNames.includes('base'),
  };
  const agents = new AgentDirectory({
    ...target,
    kind: kindOf[testTable(test).agents],
    constants: Object.values(constants),
    separator,
    fileHas,
  });
  const checks =
    separator === '\t' ? plan.checks.map((check) => check && withoutSpaces(check)) : plan.checks;
  const agentNumber = plan.agentIs === 'unit_id' ? agents.unitNumber : agents.agentIdNumber;
  return {
    plan,
    separator,
    agents,
    scanner: new RowScanner({ ...plan, checks, separator, maxAheadS }, agentNumber, firstLine),
    keys: new DuplicateKeys(undefined, keySlots),
    insertNames: [
      'organisation_id',
      'agent_key',
      'agent_id',
      ...(fileHas.unitId ? [] : ['unit_id']),
      ...(fileHas.base ? [] : ['base']),
      ...Object.keys(constants),
      ...plan.insertNames,
    ],
  };
}

/** The kind of agents that are registered with their first result. */
const kindOf = { units: 'whitebox', mobile: 'mobile', cells: 'cell' } as const;

/**
 * The same check for a file with tabs as separators, in which ClickHouse does not skip spaces around
 * numbers and times: they are removed.
 */
function withoutSpaces(check: FieldCheck): FieldCheck {
  return {
    expected: check.expected,
    isValid: (bytes, start, end) =>
      bytes[start] !== blank && bytes[end - 1] !== blank && check.isValid(bytes, start, end),
    convert: (text) => {
      const trimmed = text.trim();
      const bytes = Buffer.from(trimmed);
      return check.isValid(bytes, 0, bytes.length) ? { text: trimmed } : check.convert?.(trimmed);
    },
  };
}

const blank = 0x20;
