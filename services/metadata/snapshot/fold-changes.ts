import { isUnreachable } from '../../shared/errors/is-unreachable.ts';
import { syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import { contentDiffers, nextNumber, type PublishTools } from './publish-tools.ts';
import {
  clickHouseContent,
  isSameContent,
  type Publication,
  snapshotColumns,
} from './snapshot-content.ts';
import { type ContentRow, noContent, toContent } from './snapshot-table.ts';

export interface FoldOutcome {
  readonly folded: readonly number[];
  readonly failed: ReadonlyMap<number, unknown>;
}

/**
 * Writes the changed agents of some organisations into new snapshots, within ClickHouse, and then publishes
 * that there are no changes. What queries see stays the same at every step: while both have a changed agent,
 * they have the same rows of it.
 */
export async function foldChanges(
  tools: PublishTools,
  organisationIds: readonly number[],
): Promise<FoldOutcome> {
  const { snapshots, changes, statements, onStep } = tools;
  const failed = new Map<number, unknown>();
  const written: Publication[] = [];
  for (const organisationId of organisationIds) {
    try {
      written.push(await writeFolded(tools, organisationId));
    } catch (error) {
      if (isUnreachable(error) || statements.isStopped) throw error;
      failed.set(organisationId, error);
    }
  }
  if (written.length === 0) return { folded: [], failed };
  onStep('fold reload');
  await snapshots.reloadDictionary();
  onStep('fold verify');
  const loaded = await snapshots.dictionaryContents(written);
  const verified = written.filter((publication) => {
    const { organisationId, content } = publication;
    const different = loaded
      .contentsOf(publication)
      .find((found) => !isSameContent(found, content));
    if (different === undefined) return true;
    failed.set(organisationId, contentDiffers('the dictionary', different, content));
    return false;
  });
  const emptied = await clearChanges(tools, verified);
  onStep('fold reload changes');
  await changes.reloadDictionary();
  onStep('fold verify changes');
  const left = await changes.dictionaryContents(emptied);
  for (const { organisationId, snapshot, number } of emptied) {
    const found = left.contentsOf({ organisationId });
    const different = found.find((content) => content.rowCount > 0);
    if (different === undefined) await finish(tools, snapshot, number);
    else failed.set(organisationId, contentDiffers('the dictionary', different, noContent));
  }
  const folded = emptied.map(({ organisationId }) => organisationId);
  return { folded: folded.filter((id) => !failed.has(id)), failed };
}

async function writeFolded(tools: PublishTools, organisationId: number): Promise<Publication> {
  const { snapshots, changes, statements, onStep } = tools;
  const sources = [...snapshots.tables.sources, ...changes.tables.sources];
  for (const query of syncReplicas(sources, statements.cluster)) await statements.command(query);
  const number = await nextNumber(tools);
  onStep('fold insert');
  const rows = `FROM agent_metadata_current WHERE organisation_id = ${organisationId}`;
  const content = toContent(
    await statements.one<ContentRow>(`SELECT ${clickHouseContent} ${rows}`),
  );
  const columns = snapshotColumns.join(', ');
  await statements.command(
    `INSERT INTO ${snapshots.tables.rows} (publication, ${columns}) SELECT ${number}, ${columns} ${rows}`,
  );
  const publication = { organisationId, number, content };
  onStep('fold check');
  const stored = await snapshots.contentOf(publication);
  if (!isSameContent(stored, content)) throw contentDiffers('the publication', stored, content);
  onStep('fold complete');
  await snapshots.complete(publication);
  return publication;
}

interface EmptiedChanges {
  readonly organisationId: number;
  /** The number of the empty publication of changes. */
  readonly number: number;
  readonly snapshot: Publication;
}

async function clearChanges(
  tools: PublishTools,
  written: readonly Publication[],
): Promise<readonly EmptiedChanges[]> {
  tools.onStep('fold clear');
  const emptied: EmptiedChanges[] = [];
  for (const snapshot of written) {
    const { organisationId } = snapshot;
    const number = await nextNumber(tools);
    await tools.changes.complete({ organisationId, number, content: noContent });
    emptied.push({ organisationId, number, snapshot });
  }
  return emptied;
}

async function finish(
  { snapshots, changes, ledger, onStep }: PublishTools,
  snapshot: Publication,
  emptyChanges: number,
): Promise<void> {
  onStep('fold drop');
  await snapshots.dropOtherPublications(snapshot.organisationId, snapshot.number);
  await changes.dropOtherPublications(snapshot.organisationId, emptyChanges);
  onStep('fold record');
  await ledger.recordSnapshot(snapshot, emptyChanges, []);
}
