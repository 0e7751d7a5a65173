import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { ObjectStore } from '../../shared/object-store/object-store.ts';
import type { ExportLedger } from './export-ledger.ts';
import type { ExportRunner } from './export-runner.ts';
import { exportKeyOf } from './export-record.ts';
import { sweepExport } from './make-file.ts';

interface Parts {
  readonly ledger: ExportLedger;
  readonly store: ObjectStore;
  readonly runner: ExportRunner;
  readonly intervalMs: number;
  readonly logger: Logger;
}

const pruneEveryMs = 3_600_000;

/** Starts lost exports again, deletes expired files, partial files of failed exports, and old export records. */
export function exportSweeper(parts: Parts): PeriodicJob {
  const { ledger, store, runner, intervalMs, logger } = parts;
  let isFirst = true;
  let pruneDueMs = 0;
  const run = async () => {
    if (isFirst) {
      isFirst = false;
      await sweepUnfinished(parts);
    }
    if (!runner.isStopping) await runner.resumeLost();
    await ledger.failLost(runner.runningIds);
    for (const unswept of await ledger.unswept()) await sweepExport(ledger, store, unswept);
    if (performance.now() < pruneDueMs) return;
    await ledger.prune();
    pruneDueMs = performance.now() + pruneEveryMs;
  };
  return new PeriodicJob({ run, intervalMs, failure: 'could not clean up exports', logger });
}

// At startup: deletes partial files of a killed process, even without a record in Postgres. Exports
// of other processes are safe: their record is committed before the first byte is written.
async function sweepUnfinished({ ledger, store }: Parts): Promise<void> {
  for await (const key of store.unfinished()) {
    const exportKey = exportKeyOf(key);
    if (exportKey === undefined || (await ledger.isRunning(exportKey))) continue;
    // Another process may have completed the file since it was listed.
    await store.discardPartial(key);
  }
}
