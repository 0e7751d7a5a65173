import type { Logger } from '../../shared/logging/create-logger.ts';
import type { ServiceTools } from '../../shared/run-service.ts';
import { doDue, lockClaim } from '../../shared/jobs/durable-job.ts';
import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import { metricsOf } from '../../shared/metrics.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import type { Stores } from '../../shared/stores.ts';
import { defaultSettleMs, type Erasure, type ErasureTools } from './erasure.ts';
import { runningErasures } from './erasure-ledger.ts';
import { runErasure } from './run-erasure.ts';

/** For erasures by the command line and other replicas, and for the next attempt of one that waits. */
const pollMs = 5_000;
/** How long a shutdown waits for the current step. The next start repeats it. */
const stopGraceMs = 5_000;

/**
 * Carries out erasures in the background, one at a time over all replicas and the command line. An erasure that waits
 * longer than two seconds does not delay the others.
 */
export function erasureJob(stores: Stores, { logger, registry }: ServiceTools): PeriodicJob {
  const { database } = stores;
  metricsOf(registry).measured(
    'netpanel_erasure_age_seconds',
    'Age of the oldest erasure that has not ended; 0 if there is none.',
    async () => {
      const { ageS } = await database('erasures')
        .whereNull('ended_at')
        .first<{ ageS: number }>(
          database.raw(
            `coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as "ageS"`,
          ),
        );
      return ageS;
    },
  );
  const tools: ErasureTools = {
    ...stores,
    settleMs: defaultSettleMs,
    onStep: (step, { id }) => logger.debug('erasure step', { id, step }),
  };
  const erasures = {
    due: () => runningErasures(database),
    claim: lockClaim(database, lockTable.erasure),
    run: async (id: string) => logOutcome(logger, await runErasure(tools, id)),
  };
  return new PeriodicJob({
    run: (signal) => doDue(erasures, signal),
    intervalMs: pollMs,
    failure: 'could not erase',
    logger,
    stopGraceMs,
  });
}

function logOutcome(logger: Logger, erasure: Erasure | undefined): void {
  if (erasure?.endedAt) {
    const { id, organisationId, report } = erasure;
    logger.info('erasure ended', { id, organisationId, report });
  } else if (erasure?.lastError) {
    const { id, attempts, lastError } = erasure;
    logger.warn('an erasure failed; will retry', { id, attempts, error: lastError });
  }
}
