import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Publication, SnapshotContent } from './snapshot-content.ts';
import type { SnapshotLedger } from './snapshot-ledger.ts';
import type { SnapshotStatements } from './snapshot-statements.ts';
import type { SnapshotTable } from './snapshot-table.ts';

/** Every step of the publisher, in order: a test kills it at each. */
export const publishSteps = [
  'changes version',
  'changes insert',
  'changes check',
  'changes complete',
  'changes reload',
  'changes verify',
  'changes drop',
  'changes record',
  'fold insert',
  'fold check',
  'fold complete',
  'fold reload',
  'fold verify',
  'fold clear',
  'fold reload changes',
  'fold verify changes',
  'fold drop',
  'fold record',
  'snapshot version',
  'snapshot insert',
  'snapshot check',
  'snapshot complete',
  'snapshot reload',
  'snapshot verify',
  'snapshot drop',
  'snapshot record',
] as const;

export type PublishStep = (typeof publishSteps)[number];

export interface PublishTools {
  readonly database: Database;
  readonly ledger: SnapshotLedger;
  readonly statements: SnapshotStatements;
  /** All agents of each organisation. */
  readonly snapshots: SnapshotTable;
  /** The agents that changed since. */
  readonly changes: SnapshotTable;
  /** Called before each step. */
  readonly onStep: (step: PublishStep) => void;
}

export interface PublishedSnapshot extends Publication {
  /** Seconds from each change until it became visible. */
  readonly changeToVisibleS: readonly number[];
}

export interface PublishOutcome {
  readonly published: readonly PublishedSnapshot[];
  /** The errors of organisations that could not be published. */
  readonly failed: ReadonlyMap<number, unknown>;
}

/** A number for a new publication: higher than all others, also than the snapshots of 0.1.0. */
export async function nextNumber({ ledger, statements }: PublishTools): Promise<number> {
  const { number } = await statements.one<{ number: string }>(
    `SELECT toString(greatest(
       (SELECT max(publication) FROM agent_metadata_publication),
       (SELECT max(publication) FROM agent_metadata_change_publication),
       (SELECT max(version) FROM agent_metadata_version))) AS number`,
  );
  return ledger.nextNumber(Number(number));
}

export function contentDiffers(
  what: string,
  found: SnapshotContent,
  expected: SnapshotContent,
): Error {
  return new Error(
    `${what} differs from what was published: it has ${found.rowCount} rows with hash ${found.contentHash}, ` +
      `not ${expected.rowCount} rows with hash ${expected.contentHash}`,
  );
}
