import type { DirectoryOptions } from '../../results/agents/agent-directory.ts';
import type { TestColumn } from '../../results/columns/test-columns.ts';

/** What the rows of a request are checked against. */
export interface ResultsTarget {
  readonly organisationId: number;
  readonly test: string;
  readonly columns: readonly TestColumn[];
  readonly inDatabase: DirectoryOptions['inDatabase'];
  readonly findAgents: NonNullable<DirectoryOptions['findAgents']>;
  readonly unknownAgents: 'refuse' | 'register';
  /** How long before an agent exists its results may be. */
  readonly beforeRegistrationS: number;
  readonly nowS: number;
  /** How far in the future the time of a result may be. */
  readonly maxAheadS: number;
}
