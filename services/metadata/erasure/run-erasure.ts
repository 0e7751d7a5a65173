import { setTimeout as sleep } from 'node:timers/promises';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../shared/postgres/with-advisory-lock.ts';
import {
  type Erasure,
  type ErasureStep,
  erasureSteps,
  type ErasureTools,
  ErasureWaits,
} from './erasure.ts';
import { findErasure, recordEnd, requireErasure } from './erasure-ledger.ts';
import { identifierPattern } from './identifier-pattern.ts';
import { countStored, removeFromRegistry } from './steps/count-stored.ts';
import { awaitFiles, eraseExports } from './steps/erase-exports.ts';
import { redactRequests } from './steps/redact-requests.ts';
import { awaitPublication, lastCheck, removeResults } from './steps/remove-results.ts';

/**
 * Runs the steps of an erasure that are not done, until one has to wait or fails. Returns the erasure.
 * Must be called under the erasure lock.
 */
export async function runErasure(tools: ErasureTools, id: string): Promise<Erasure | undefined> {
  const { database } = tools;
  const started = await findErasure(database, id);
  if (started?.endedAt !== null) return started;
  const row = () => database('erasures').where({ id });
  await row().increment('attempts', 1);
  try {
    for (const step of erasureSteps) {
      const erasure = await findErasure(database, id);
      if (erasure === undefined || erasure.stepsDone.includes(step)) continue;
      tools.onStep(step, erasure);
      await run[step](tools, erasure);
      await row().update({ steps_done: database.raw('array_append(steps_done, ?)', [step]) });
    }
    await recordEnd(database, id);
  } catch (error) {
    const isWaiting = error instanceof ErasureWaits;
    await row().update({
      waiting_for: isWaiting ? error.message : null,
      last_error: isWaiting ? null : withoutIdentifiers(error, started),
    });
  }
  return findErasure(database, id);
}

/** Runs an erasure until it has ended, in turn with other processes. Interrupted, the metadata service completes it. */
export async function endErasure(
  tools: ErasureTools,
  id: string,
  onWait: (erasure: Erasure) => void,
): Promise<Erasure> {
  for (;;) {
    await withAdvisoryLock(tools.database, lockTable.erasure(), () => runErasure(tools, id));
    const erasure = await requireErasure(tools.database, id);
    if (erasure.endedAt !== null) return erasure;
    onWait(erasure);
    await sleep(pollMs);
  }
}

const pollMs = 1_000;

const run: Readonly<Record<ErasureStep, (tools: ErasureTools, erasure: Erasure) => Promise<void>>> =
  {
    count: countStored,
    // First, so that the loader does not know the agents while their results are deleted.
    registry: removeFromRegistry,
    publication: awaitPublication,
    results: removeResults,
    requests: redactRequests,
    // After the results, so that a new export cannot contain them.
    exports: eraseExports,
    files: awaitFiles,
    check: lastCheck,
  };

/** An error of a store may quote the statement. */
function withoutIdentifiers(error: unknown, { identifiers }: Erasure): string {
  if (identifiers === null || identifiers.length === 0) return String(error);
  return String(error).replaceAll(
    new RegExp(identifierPattern(identifiers), 'gi'),
    ' [identifier] ',
  );
}
