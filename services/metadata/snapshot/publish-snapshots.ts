import { newDataVersion } from '../../shared/clickhouse/new-data-version.ts';
import { foldChanges } from './fold-changes.ts';
import {
  completeWritten,
  differingOrganisations,
  loadWritten,
  nextNumber,
  type PublishedSnapshot,
  type PublishOutcome,
  type PublishTools,
  writeEach,
} from './publish-tools.ts';
import type { Publication } from './snapshot-content.ts';
import { type WaitingChange, waitingChanges } from './snapshot-ledger.ts';
import { lastSecond, readSnapshotLines } from './snapshot-rows.ts';
import type { SnapshotStatements } from './snapshot-statements.ts';

/**
 * Publishes all agents of some organisations. First folds their changed agents into the snapshots in use: queries look
 * up changed agents first, and would mix them with the new snapshot.
 */
export async function publishSnapshots(
  tools: PublishTools,
  organisationIds: readonly number[],
): Promise<PublishOutcome> {
  if (organisationIds.length === 0) return { published: [], failed: new Map() };
  const repaired = await differingOrganisations(tools, organisationIds);
  const inUse = await tools.changes.publications();
  const changed = organisationIds.filter((id) => (inUse.get(id)?.rowCount ?? 0) > 0);
  // Not recorded: otherwise, if this process ended now, the publications would match with rows that Postgres may not have.
  const unfolded = await foldChanges(tools, changed, { isRecorded: false });
  const foldable = organisationIds.filter((id) => !unfolded.has(id));
  await forgetFoldedChanges(tools, foldable);
  const { published, failed } = await publish(tools, 'snapshot', foldable, repaired);
  return { published, failed: new Map([...unfolded, ...failed]) };
}

/** A publisher that was killed while folding may have left changes in the dictionary that are not in the table. */
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
    throw new Error('the dictionary of changes still has changes that are already in snapshots');
}

/**
 * Publishes the agents of some organisations that changed since their snapshots. Every publication has all of them;
 * folding limits their number.
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
  repaired: readonly number[] = [],
): Promise<PublishOutcome> {
  const { written, failed } = await writeEach(tools, organisationIds, (organisationId) =>
    writePublication(tools, kind, organisationId),
  );
  const published: PublishedSnapshot[] = [];
  for (const publication of await loadWritten(tools, kind, tableOf(tools, kind), written, failed)) {
    const { organisationId } = publication;
    // A restored Postgres repeats versions of metadata, which stored answers of before may have.
    if (repaired.includes(organisationId)) {
      await newDataVersion(tools.statements.client, organisationId);
    }
    published.push(await finish(tools, kind, publication));
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
  if (kind === 'changes' && (await differingOrganisations(tools, [organisationId])).length > 0) {
    return undefined;
  }
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
  await completeWritten(tools, kind, table, written);
  return written;
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

/**
 * Records the time from which each metadata version differs from the one before it. Called before the
 * versions count as published: a reader that finds a published version without a row must assume that it
 * differs at any time.
 */
async function recordVersionEffects(
  statements: SnapshotStatements,
  organisationId: number,
  changes: readonly WaitingChange[],
): Promise<void> {
  await statements.insert(
    'metadata_version_effect',
    changes.map(({ version, affectedFromS }) => ({
      organisation_id: organisationId,
      version,
      affected_from: Math.min(Math.floor(affectedFromS), lastSecond),
    })),
  );
}
