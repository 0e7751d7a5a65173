import { requiredColumns } from '../../catalog/required-columns.ts';
import { AgentDirectory } from '../../results/agents/agent-directory.ts';
import { type FilePlan, planFile } from '../../results/columns/file-plan.ts';
import type { Separator } from '../../results/csv/parse-csv.ts';
import {
  agentKind,
  insertColumns,
  openScanner,
  ownAgentColumns,
} from '../../results/rows/open-scanner.ts';
import type { RowScanner } from '../../results/rows/row-scanner.ts';
import type { ScannedRows } from '../../results/rows/scanned-rows.ts';
import { DuplicateKeys } from '../../results/store/duplicate-keys.ts';
import type { ResultsTarget } from './results-target.ts';

/** The rows of a request whose columns are known. */
export interface OpenRows {
  readonly plan: FilePlan;
  readonly separator: Separator;
  readonly agents: AgentDirectory;
  readonly scanner: RowScanner;
  readonly keys: DuplicateKeys;
  /** Columns of the INSERT. */
  readonly insertNames: readonly string[];
}

/** Scanned rows with the bytes that they are in. */
export interface RowBlock {
  readonly bytes: Buffer;
  readonly rows: ScannedRows;
}

/** Matches the columns with the test. Throws a HeaderError. */
export function openRows(
  titles: readonly string[],
  separator: Separator,
  firstLine: number,
  { organisationId, test, columns, inDatabase, findAgents, maxAheadS }: ResultsTarget,
): OpenRows {
  const plan = planFile(titles, columns, {
    ignore: [],
    constants: {},
    required: requiredColumns(test),
  });
  const agents = AgentDirectory.empty({
    inDatabase,
    findAgents,
    organisationId,
    kind: agentKind(test),
    constants: [],
    separator,
    fileHas: ownAgentColumns(plan),
  });
  return {
    plan,
    separator,
    agents,
    scanner: openScanner({ plan, separator, agents, firstLine, maxAheadS }),
    keys: new DuplicateKeys(undefined, firstSlots),
    insertNames: insertColumns(plan, {}),
  };
}

/** Most requests have few rows. */
const firstSlots = 64;
