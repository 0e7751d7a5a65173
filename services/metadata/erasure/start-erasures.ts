import { Gauge } from 'prom-client';
import type { ServiceTools } from '../../shared/run-service.ts';
import { ErasureWorker } from './erasure-worker.ts';
import { defaultSettleMs, type ErasureTools } from './erasure-tools.ts';

/** Starts the worker, and its metric. */
export function startErasures(
  stores: Pick<ErasureTools, 'database' | 'clickhouse' | 'cluster'>,
  { logger, registry }: ServiceTools,
): ErasureWorker {
  const { database } = stores;
  new Gauge({
    name: 'netpanel_erasure_age_seconds',
    help: 'Age of the oldest erasure that has not ended; 0 if there is none.',
    registers: [registry],
    async collect() {
      const age = database('erasures')
        .whereNull('ended_at')
        .first<{ ageS: number }>(
          database.raw(
            `coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as "ageS"`,
          ),
        );
      this.set(
        await age.then(
          ({ ageS }) => ageS,
          () => NaN,
        ),
      );
    },
  });
  const worker = new ErasureWorker(
    {
      ...stores,
      settleMs: defaultSettleMs,
      onStep: (step, { id }) => logger.debug('erasure step', { id, step }),
    },
    logger,
  );
  worker.start();
  return worker;
}
