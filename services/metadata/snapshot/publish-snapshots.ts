import { isUnreachable } from '../../shared/errors/is-unreachable.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { isSameContent, type Publication, type SnapshotContent } from './snapshot-content.ts';
import { type SnapshotLedger, waitingChanges } from './snapshot-ledger.ts';
import { readSnapshotLines } from './snapshot-rows.ts';
import type { SnapshotTable } from './snapshot-table.ts';

export const publishSteps = [
  'version',
  'insert',
  'check',
  'complete',
  'reload',
  'verify',
  'drop',
  'record',
] as const;

type PublishStep = (typeof publishSteps)[number];

export interface PublishTools {
  readonly database: Database;
  readonly ledger: SnapshotLedger;
  readonly table: SnapshotTable;
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

/**
 * Publishes the whole current history of some organisations to ClickHouse, each under a new number. An
 * organisation that fails does not stop the others. Throws if a store is unavailable, or if the
 * dictionary, which all organisations share, cannot be loaded.
 *
 * A crash before `complete` leaves rows that are never read. A crash after it leaves a correct
 * publication that is published again, because its changes are still in the outbox.
 */
export async function publishSnapshots(
  tools: PublishTools,
  organisationIds: readonly number[],
): Promise<PublishOutcome> {
  const { table, onStep } = tools;
  const failed = new Map<number, unknown>();
  const written: WrittenPublication[] = [];
  for (const organisationId of organisationIds) {
    try {
      written.push(await writePublication(tools, organisationId));
    } catch (error) {
      if (isUnreachable(error) || table.isStopped) throw error;
      failed.set(organisationId, error);
    }
  }
  if (written.length === 0) return { published: [], failed };
  onStep('reload');
  await table.reloadDictionary();
  onStep('verify');
  const loaded = await table.dictionaryContents(written);
  const published: PublishedSnapshot[] = [];
  for (const publication of written) {
    const different = loaded
      .contentsOf(publication)
      .find((content) => !isSameContent(content, publication.content));
    if (different === undefined) published.push(await finish(tools, publication));
    else failed.set(publication.organisationId, differs('the dictionary', different, publication));
  }
  await table.dropReplacedSnapshot();
  return { published, failed };
}

interface WrittenPublication extends Publication {
  readonly changeIds: readonly number[];
}

async function writePublication(
  { database, ledger, table, onStep }: PublishTools,
  organisationId: number,
): Promise<WrittenPublication> {
  onStep('version');
  // Otherwise the rows of failed attempts would accumulate.
  await table.dropOtherPublications(organisationId, await table.publicationOf(organisationId));
  const number = await ledger.nextNumber(await table.latestNumber());
  onStep('insert');
  // The rows and the list of changes are read in one transaction, so that they match.
  const written = await database.transaction(
    async (transaction) => {
      const changeIds = await waitingChanges(transaction, organisationId);
      const reader = { content: { rowCount: 0, contentHash: 0n } };
      await table.insert(
        (async function* () {
          reader.content = yield* readSnapshotLines(transaction, organisationId, number);
        })(),
      );
      return { organisationId, number, content: reader.content, changeIds };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
  onStep('check');
  const stored = await table.contentOf(written);
  if (!isSameContent(stored, written.content)) throw differs('the publication', stored, written);
  onStep('complete');
  await table.complete(written);
  return written;
}

async function finish(
  { ledger, table, onStep }: PublishTools,
  { changeIds, ...publication }: WrittenPublication,
): Promise<PublishedSnapshot> {
  onStep('drop');
  await table.dropOtherPublications(publication.organisationId, publication.number);
  // Must be last: until then, a restart publishes again.
  onStep('record');
  return {
    ...publication,
    changeToVisibleS: await ledger.recordPublished(publication, changeIds),
  };
}

function differs(what: string, found: SnapshotContent, { content }: Publication): Error {
  return new Error(
    `${what} differs from Postgres: it has ${found.rowCount} rows with hash ${found.contentHash}, ` +
      `not ${content.rowCount} rows with hash ${content.contentHash}`,
  );
}
