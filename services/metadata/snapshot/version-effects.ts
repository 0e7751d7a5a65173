import type { WaitingChange } from './snapshot-ledger.ts';
import type { SnapshotStatements } from './snapshot-statements.ts';

/**
 * Records from which moment on each metadata version differs from the one before it. Called before the
 * versions count as published: a reader that finds a published version without a row must assume that it
 * differs at any time.
 */
export async function recordVersionEffects(
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

/** ClickHouse's DateTime ends at 2106-02-07 06:28:15. */
const lastSecond = 2 ** 32 - 1;
