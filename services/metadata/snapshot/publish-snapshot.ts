import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { isSameContent, type SnapshotContent } from './snapshot-content.ts';
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

export interface PublishedSnapshot {
  readonly version: number;
  readonly rowCount: number;
  /** Seconds from each change until it became visible. */
  readonly changeToVisibleS: readonly number[];
}

/**
 * Publishes the whole current history to ClickHouse under a new version. A crash before `complete`
 * leaves rows that are never read. A crash after it leaves a correct version that is published again,
 * because its changes are still in the outbox.
 */
export async function publishSnapshot(tools: PublishTools): Promise<PublishedSnapshot> {
  const { ledger, table, onStep } = tools;
  onStep('version');
  const latest = await table.latestVersion();
  // Otherwise the rows of failed attempts would accumulate.
  await table.dropOtherVersions(latest);
  const version = await ledger.nextVersion(latest);
  onStep('insert');
  const { content, changeIds } = await insertSnapshot(tools, version);
  onStep('check');
  assertSame('the snapshot', await table.contentOf(version), content);
  onStep('complete');
  await table.complete(version, content);
  onStep('reload');
  await table.reloadDictionary();
  onStep('verify');
  for (const found of await table.dictionaryContents())
    assertSame('the dictionary', found, content);
  onStep('drop');
  await table.dropOtherVersions(version);
  // Must be last: until then, a restart publishes again.
  onStep('record');
  const changeToVisibleS = await ledger.recordPublished(changeIds, version, content);
  return { version, rowCount: content.rowCount, changeToVisibleS };
}

/** Reads the rows and the list of changes in one transaction, so that they match. */
async function insertSnapshot(
  { database, table }: PublishTools,
  version: number,
): Promise<{ content: SnapshotContent; changeIds: readonly number[] }> {
  return database.transaction(
    async (transaction) => {
      const changeIds = await waitingChanges(transaction);
      const reader = { content: { rowCount: 0, contentHash: 0n } };
      await table.insert(
        (async function* () {
          reader.content = yield* readSnapshotLines(transaction, version);
        })(),
      );
      return { content: reader.content, changeIds };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

function assertSame(what: string, found: SnapshotContent, wanted: SnapshotContent): void {
  if (isSameContent(found, wanted)) return;
  throw new Error(
    `${what} differs from Postgres: it has ${found.rowCount} rows with hash ${found.contentHash}, ` +
      `not ${wanted.rowCount} rows with hash ${wanted.contentHash}`,
  );
}
