import type { ObjectStore } from '../store/object-store.ts';
import type { ExportLedger } from './export-ledger.ts';
import { manifestOf } from './export-record.ts';

/** Deletes the file and the manifest of an export that has ended, and records it. */
export async function sweepExport(
  ledger: ExportLedger,
  store: ObjectStore,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<void> {
  await store.discard(key);
  await store.discard(manifestOf({ key }).key);
  await ledger.markSwept(id);
}
