import { isUnreachable } from '../../shared/errors/is-unreachable.ts';
import { foldChanges } from './fold-changes.ts';
import {
  contentDiffers,
  nextNumber,
  type PublishedSnapshot,
  type PublishOutcome,
  type PublishTools,
} from './publish-tools.ts';
import { isSameContent, type Publication } from './snapshot-content.ts';
import { type WaitingChange, waitingChanges } from './snapshot-ledger.ts';
import { readSnapshotLines } from './snapshot-rows.ts';
import { recordVersionEffects } from './version-effects.ts';

/**
 * Publishes all agents of some organisations. Their changed agents are folded into the snapshots in use
 * first: queries look them up before the new snapshot, and would see a part of it.
 */
export async function publishSnapshots(
  tools: PublishTools,
  organisationIds: readonly number[],
): Promise<PublishOutcome> {
  const inUse = await tools.changes.publications();
  const changed = organisationIds.filter((id) => (inUse.get(id)?.rowCount ?? 0) > 0);
  const folded = await foldChanges(tools, changed);
  const foldable = organisationIds.filter((id) => !folded.failed.has(id));
  await forgetFoldedChanges(tools, foldable);
  const { published, failed } = await publish(tools, 'snapshot', foldable);
  if (published.length > 0) await dropReplacedSnapshot(tools);
  return { published, failed: new Map([...folded.failed, ...failed]) };
}

/** A publisher that was killed while it folded may have left changes in the dictionary that the table has not. */
async function forgetFoldedChanges(
  { changes }: PublishTools,
  organisationIds: readonly number[],
): Promise<void> {
  if (organisationIds.length === 0) return;
  const organisations = organisationIds.map((organisationId) => ({ organisationId }));
  const haveChanges = async () => {
    const loaded = await changes.dictionaryContents(organisations);
    return organisations.some((one) => loaded.contentsOf(one).some(({ rowCount }) => rowCount > 0));
  };
  if (!(await haveChanges())) return;
  await changes.reloadDictionary();
  if (await haveChanges())
    throw new Error('the dictionary of changes has changes that were folded');
}

/**
 * Publishes the agents of some organisations that changed since their snapshots. They are written anew
 * each time, so a publication is complete; folding limits their number.
 */
export function publishChanges(
  tools: PublishTools,
  organisationIds: readonly number[],
): Promise<PublishOutcome> {
  return publish(tools, 'changes', organisationIds);
}

type Kind = 'snapshot' | 'changes';

/**
 * Publishes each organisation under a new number. An organisation that fails does not stop the others.
 * Throws if a store is unavailable, or if the dictionary, which all organisations share, cannot be loaded.
 *
 * A crash before `complete` leaves rows that are never read. A crash after it leaves a correct
 * publication that is published again, because its changes are still in the outbox.
 */
async function publish(
  tools: PublishTools,
  kind: Kind,
  organisationIds: readonly number[],
): Promise<PublishOutcome> {
  const { statements, onStep } = tools;
  const failed = new Map<number, unknown>();
  const written: WrittenPublication[] = [];
  for (const organisationId of organisationIds) {
    try {
      const publication = await writePublication(tools, kind, organisationId);
      if (publication !== undefined) written.push(publication);
    } catch (error) {
      if (isUnreachable(error) || statements.isStopped) throw error;
      failed.set(organisationId, error);
    }
  }
  if (written.length === 0) return { published: [], failed };
  const table = tableOf(tools, kind);
  onStep(`${kind} reload`);
  await table.reloadDictionary();
  onStep(`${kind} verify`);
  const loaded = await table.dictionaryContents(written);
  const published: PublishedSnapshot[] = [];
  for (const publication of written) {
    const { organisationId, content } = publication;
    const different = loaded
      .contentsOf(publication)
      .find((found) => !isSameContent(found, content));
    if (different === undefined) published.push(await finish(tools, kind, publication));
    else failed.set(organisationId, contentDiffers('the dictionary', different, content));
  }
  return { published, failed };
}

function tableOf({ snapshots, changes }: PublishTools, kind: Kind) {
  return kind === 'snapshot' ? snapshots : changes;
}

interface WrittenPublication extends Publication {
  /** The changes it contains. */
  readonly changes: readonly WaitingChange[];
  /** Undefined: all agents. */
  readonly agentKeys: readonly number[] | undefined;
}

/** Undefined if the changes need a snapshot. */
async function writePublication(
  tools: PublishTools,
  kind: Kind,
  organisationId: number,
): Promise<WrittenPublication | undefined> {
  const { database, onStep } = tools;
  const table = tableOf(tools, kind);
  onStep(`${kind} version`);
  // Otherwise the rows of failed attempts would accumulate.
  const inUse = await table.publicationOf(organisationId);
  await table.dropOtherPublications(organisationId, inUse.number);
  if (kind === 'changes' && (await differsFromLedger(tools, organisationId))) return undefined;
  const before = kind === 'changes' ? await table.agentKeysOf(organisationId) : undefined;
  const number = await nextNumber(tools);
  onStep(`${kind} insert`);
  // The rows and the list of changes are read in one transaction, so that they match.
  const written = await database.transaction(
    async (transaction) => {
      const changes = await waitingChanges(transaction, organisationId);
      const agentKeys = before && withChanged(before, changes);
      if (kind === 'changes' && agentKeys === undefined) return undefined;
      const scope = { organisationId, ...(agentKeys && { agentKeys }) };
      const reader = { content: { rowCount: 0, contentHash: 0n } };
      await table.insert(
        (async function* () {
          reader.content = yield* readSnapshotLines(transaction, scope, number);
        })(),
      );
      return { organisationId, number, content: reader.content, changes, agentKeys };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  if (written === undefined) return undefined;
  onStep(`${kind} check`);
  const stored = await table.contentOf(written);
  if (!isSameContent(stored, written.content)) {
    throw contentDiffers('the publication', stored, written.content);
  }
  onStep(`${kind} complete`);
  await table.complete(written);
  return written;
}

/** After a crash, or when a store was restored from a backup, ClickHouse may lack agents that changed before. */
async function differsFromLedger(
  { ledger, snapshots, changes }: PublishTools,
  organisationId: number,
): Promise<boolean> {
  const recorded = await ledger.publicationsOf(organisationId);
  return (
    recorded?.snapshot !== (await snapshots.publicationOf(organisationId)).number ||
    recorded.changes !== (await changes.publicationOf(organisationId)).number
  );
}

/** Undefined if any agent may have changed. */
function withChanged(
  before: readonly number[],
  changes: readonly WaitingChange[],
): readonly number[] | undefined {
  const keys = new Set(before);
  for (const { agentKeys } of changes) {
    if (agentKeys === null) return undefined;
    for (const key of agentKeys) keys.add(key);
  }
  return [...keys];
}

async function finish(
  tools: PublishTools,
  kind: Kind,
  { changes, agentKeys, ...publication }: WrittenPublication,
): Promise<PublishedSnapshot> {
  const { ledger, statements, onStep } = tools;
  const { organisationId } = publication;
  onStep(`${kind} drop`);
  await tableOf(tools, kind).dropOtherPublications(organisationId, publication.number);
  // Must be last: until then, a restart publishes again.
  onStep(`${kind} record`);
  await recordVersionEffects(statements, organisationId, changes);
  if (agentKeys !== undefined) {
    const changeToVisibleS = await ledger.recordChanges(publication, agentKeys.length, changes);
    return { ...publication, changeToVisibleS };
  }
  const { number: emptyChanges } = await tools.changes.publicationOf(organisationId);
  const changeToVisibleS = await ledger.recordSnapshot(publication, emptyChanges, changes);
  return { ...publication, changeToVisibleS };
}

/** Drops the snapshots of 0.1.0 when every organisation in them has a publication. */
async function dropReplacedSnapshot({ statements }: PublishTools): Promise<void> {
  const partitions = await statements.all<{ partition: string }>(
    `SELECT DISTINCT partition FROM system.parts
     WHERE database = currentDatabase() AND table = 'agent_metadata_snapshot' AND active`,
  );
  if (partitions.length === 0) return;
  const { count } = await statements.one<{ count: string }>(
    `SELECT toString(count()) AS count FROM agent_metadata_snapshot
     WHERE organisation_id NOT IN (SELECT organisation_id FROM agent_metadata_publication)`,
  );
  if (count !== '0') return;
  for (const { partition } of partitions) {
    await statements.command(`ALTER TABLE agent_metadata_snapshot DROP PARTITION ${partition}`);
  }
}
