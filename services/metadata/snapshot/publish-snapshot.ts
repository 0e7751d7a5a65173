import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { isSameContent, type SnapshotContent } from './snapshot-content.ts';
import { type SnapshotLedger, waitingChanges } from './snapshot-ledger.ts';
import { readSnapshotLines } from './snapshot-rows.ts';
import type { SnapshotTable } from './snapshot-table.ts';

export const publishSteps = [
  'number',
  'insert',
  'check',
  'complete',
  'reload',
  'verify',
  'drop',
  'settle',
] as const;

type PublishStep = (typeof publishSteps)[number];

export interface PublishTools {
  readonly database: Database;
  readonly ledger: SnapshotLedger;
  readonly table: SnapshotTable;
  /** Told before each step begins. */
  readonly onStep: (step: PublishStep) => void;
}

export interface PublishedSnapshot {
  readonly version: number;
  readonly rowCount: number;
  /** For each change that became visible, the seconds since it was made. */
  readonly changeToVisibleS: readonly number[];
}

/**
 * Brings all of the current history into ClickHouse under a version of its own. A crash before
 * `complete` leaves rows that are never read; after it, a version that is right and will be replaced,
 * since its changes still wait.
 */
export async function publishSnapshot(tools: PublishTools): Promise<PublishedSnapshot> {
  const { ledger, table, onStep } = tools;
  onStep('number');
  const newest = await table.newestVersion();
  // What an interrupted attempt left would otherwise pile up while ClickHouse has trouble.
  await table.dropOtherVersions(newest);
  const version = await ledger.nextVersion(newest);
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
  // Last: until here, the next start publishes again.
  onStep('settle');
  const changeToVisibleS = await ledger.settle(changeIds, version, content);
  return { version, rowCount: content.rowCount, changeToVisibleS };
}

/** All rows and the list of changes they contain come from one instant of the database. */
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
    `${what} is not what was sent: ${found.rowCount} rows with hash ${found.contentHash}, ` +
      `not ${wanted.rowCount} with ${wanted.contentHash}`,
  );
}
