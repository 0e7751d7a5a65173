import { syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import {
  completeWritten,
  loadWritten,
  nextNumber,
  type PublishTools,
  writeEach,
} from './publish-tools.ts';
import { clickHouseContent, type Publication, snapshotColumns } from './snapshot-content.ts';
import { type ContentRow, noContent, toContent } from './snapshot-table.ts';

/**
 * Writes the changed agents of some organisations into new snapshots, within ClickHouse, and then publishes an empty list
 * of changes. Queries see the same metadata at every step, because the snapshots and the changes have the same rows of
 * an agent. Returns the errors of organisations that failed.
 */
export async function foldChanges(
  tools: PublishTools,
  organisationIds: readonly number[],
  { isRecorded } = { isRecorded: true },
): Promise<ReadonlyMap<number, unknown>> {
  const { snapshots, changes, ledger, onStep } = tools;
  const { written, failed } = await writeEach(tools, organisationIds, (organisationId) =>
    writeFolded(tools, organisationId),
  );
  const loaded = await loadWritten(tools, 'fold', snapshots, written, failed);
  if (loaded.length === 0) return failed;
  onStep('fold clear');
  const emptied: (Publication & { readonly snapshot: Publication })[] = [];
  for (const snapshot of loaded) {
    const empty = { ...snapshot, number: await nextNumber(tools), content: noContent };
    await changes.complete(empty);
    emptied.push({ ...empty, snapshot });
  }
  for (const empty of await loadWritten(tools, 'fold changes', changes, emptied, failed)) {
    const { organisationId, number, snapshot } = empty;
    onStep('fold drop');
    await snapshots.dropOtherPublications(organisationId, snapshot.number);
    await changes.dropOtherPublications(organisationId, number);
    onStep('fold record');
    if (isRecorded) await ledger.recordSnapshot(snapshot, number, []);
  }
  return failed;
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
  await completeWritten(tools, 'fold', snapshots, publication);
  return publication;
}
