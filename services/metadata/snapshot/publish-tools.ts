import { isUnreachable } from '../../shared/errors/is-unreachable.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { isSameContent, type Publication, type SnapshotContent } from './snapshot-content.ts';
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
  'fold changes reload',
  'fold changes verify',
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

/** A number for a new publication: higher than all others. */
export async function nextNumber({ ledger, statements }: PublishTools): Promise<number> {
  const { number } = await statements.one<{ number: string }>(
    `SELECT toString(greatest(
       (SELECT max(publication) FROM agent_metadata_publication),
       (SELECT max(publication) FROM agent_metadata_change_publication))) AS number`,
  );
  return ledger.nextNumber(Number(number));
}

/** Writes a publication per organisation. One that fails does not stop the others, unless a store is unavailable. */
export async function writeEach<Written>(
  { statements }: PublishTools,
  organisationIds: readonly number[],
  write: (organisationId: number) => Promise<Written | undefined>,
) {
  const failed = new Map<number, unknown>();
  const written: Written[] = [];
  for (const organisationId of organisationIds) {
    try {
      const publication = await write(organisationId);
      if (publication !== undefined) written.push(publication);
    } catch (error) {
      if (isUnreachable(error) || statements.isStopped) throw error;
      failed.set(organisationId, error);
    }
  }
  return { written, failed };
}

type WritingKind = 'changes' | 'fold' | 'snapshot';

/** Marks a publication as complete if the table has its rows. */
export async function completeWritten(
  { onStep }: PublishTools,
  kind: WritingKind,
  table: SnapshotTable,
  publication: Publication,
): Promise<void> {
  onStep(`${kind} check`);
  const stored = await table.contentOf(publication);
  if (!isSameContent(stored, publication.content)) {
    throw contentDiffers('the publication', stored, publication.content);
  }
  onStep(`${kind} complete`);
  await table.complete(publication);
}

/** Reloads the dictionary, and returns the publications that it has on every node. Adds the others to `failed`. */
export async function loadWritten<Written extends Publication>(
  { onStep }: PublishTools,
  kind: WritingKind | 'fold changes',
  table: SnapshotTable,
  written: readonly Written[],
  failed: Map<number, unknown>,
): Promise<readonly Written[]> {
  if (written.length === 0) return [];
  onStep(`${kind} reload`);
  await table.reloadDictionary();
  onStep(`${kind} verify`);
  const loaded = await table.dictionaryContents(written);
  return written.filter((publication) => {
    const { organisationId, content } = publication;
    const different = loaded
      .contentsOf(publication)
      .find((found) => !isSameContent(found, content));
    if (different === undefined) return true;
    failed.set(organisationId, contentDiffers('the dictionary', different, content));
    return false;
  });
}

/**
 * The organisations, of some or of all, whose publications differ between ClickHouse and Postgres: a publisher was
 * killed, or a store was restored from a backup. ClickHouse may lack agents that changed before.
 */
export async function differingOrganisations(
  { ledger, snapshots, changes }: PublishTools,
  organisationIds?: readonly number[],
): Promise<readonly number[]> {
  const [recorded, snapshotsInUse, changesInUse] = await Promise.all([
    ledger.publications(organisationIds),
    snapshots.publications(organisationIds),
    changes.publications(organisationIds),
  ]);
  return [...recorded]
    .filter(
      ([organisationId, numbers]) =>
        numbers.snapshot !== (snapshotsInUse.get(organisationId)?.number ?? 0) ||
        numbers.changes !== (changesInUse.get(organisationId)?.number ?? 0),
    )
    .map(([organisationId]) => organisationId);
}

function contentDiffers(what: string, found: SnapshotContent, expected: SnapshotContent): Error {
  return new Error(
    `${what} differs from what was published: it has ${found.rowCount} rows with hash ${found.contentHash}, ` +
      `not ${expected.rowCount} rows with hash ${expected.contentHash}`,
  );
}
