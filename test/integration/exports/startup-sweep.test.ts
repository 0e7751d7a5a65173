import { expect } from 'chai';
import type { ExportLedger } from '../../../services/query/export/export-ledger.ts';
import type { ExportRunner } from '../../../services/query/export/export-runner.ts';
import { exportSweeper } from '../../../services/query/export/export-sweeper.ts';
import type {
  ObjectStore,
  StoredFile,
} from '../../../services/shared/object-store/object-store.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { exportStore, storeKinds } from '../../support/export-store.ts';

/** A file and its manifest. */
function filesIn({ keyPrefix }: ObjectStore): readonly StoredFile[] {
  const key = `${keyPrefix}exports/1/2026-11-17/0b1c2d3e-0000-4000-8000-000000000001.csv`;
  return [key, `${key}.manifest.json`].map((one) => ({
    key: one,
    contentType: 'text/csv',
    fileName: 'data.csv',
  }));
}

describe('the sweep at the start of a process', () => {
  for (const kind of storeKinds) {
    it(`keeps files that another process completes while it looks at them: ${kind}`, async () => {
      const storage = await exportStore(kind);
      const files = filesIn(storage.store);
      /** The other process completes the files, and ends its export, after they were listed as partial. */
      async function* unfinished() {
        for (const file of files) await storage.store.write(file, content(), never);
        for (const file of files) yield file.key;
      }
      const sweeper = exportSweeper({
        store: { ...storage.store, unfinished },
        ledger: noExports,
        runner: { isStopping: true, runningIds: [] as readonly string[] } as ExportRunner,
        intervalMs: 3_600_000,
        logger: createLogger('sweep-under-test', 'error'),
      });
      sweeper.start();
      await sweeper.stop();
      expect(await storage.keys()).to.deep.equal(files.map((file) => file.key));
      await storage.stop();
    });
  }
});

const never = new AbortController().signal;

/** No export runs any more, and none is to be cleaned up. */
const noExports = {
  isRunning: () => Promise.resolve(false),
  failLost: () => Promise.resolve(),
  unswept: () => Promise.resolve([]),
  prune: () => Promise.resolve(),
} as unknown as ExportLedger;

async function* content() {
  yield await Promise.resolve(Buffer.from('a,b\n1,2\n'));
}
