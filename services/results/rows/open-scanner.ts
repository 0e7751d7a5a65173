import type { AgentDirectory } from '../agents/agent-directory.ts';
import { prefixColumns, type PrefixOptions } from '../agents/agent-prefix.ts';
import type { FilePlan } from '../columns/file-plan.ts';
import type { Separator } from '../csv/parse-csv.ts';
import { withoutSpaces } from '../fields/without-spaces.ts';
import { RowScanner } from './row-scanner.ts';

interface ScannerOptions {
  readonly plan: FilePlan;
  readonly separator: Separator;
  readonly agents: AgentDirectory;
  /** Line of the first row. */
  readonly firstLine: number;
  readonly maxAheadS: number;
}

/** The scanner for the rows of a plan. */
export function openScanner(options: ScannerOptions): RowScanner {
  const { plan, separator, agents, firstLine, maxAheadS } = options;
  const checks =
    separator === '\t' ? plan.checks.map((check) => check && withoutSpaces(check)) : plan.checks;
  const agentNumber = plan.agentIs === 'unit_id' ? agents.unitNumber : agents.agentIdNumber;
  return new RowScanner({ ...plan, checks, separator, maxAheadS }, agentNumber, firstLine);
}

/** The agent columns that the rows of a plan have themselves. */
export function ownAgentColumns({ insertNames }: FilePlan): PrefixOptions['fileHas'] {
  return { unitId: insertNames.includes('unit_id'), base: insertNames.includes('base') };
}

/** The columns of the INSERT: those of the prefix, then those of the plan. */
export function insertColumns(
  plan: FilePlan,
  constants: Readonly<Record<string, string | number>>,
): readonly string[] {
  return [...prefixColumns(ownAgentColumns(plan)), ...Object.keys(constants), ...plan.insertNames];
}

/** The kind of agents that a test registers. */
export function agentKind(test: string): 'mobile' | 'whitebox' {
  return test.startsWith('mobile_') ? 'mobile' : 'whitebox';
}
