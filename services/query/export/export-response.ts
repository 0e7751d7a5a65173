import type { ObjectStore } from '../store/object-store.ts';
import { type ExportRecord, fileOf } from './export-record.ts';
import type { LinkSigner } from './link-signer.ts';

interface Links {
  readonly signer: LinkSigner;
  readonly store: ObjectStore;
}

/** The response for a finished export. */
export async function fileResponse(record: ExportRecord, { signer, store }: Links) {
  const { id, destination, key, expiresAt, rows, bytes } = record;
  const common = { expiresAt: expiresAt.toISOString(), rows, bytes };
  return destination === 'csv'
    ? { url: signer.link(csvPath(id), expiresAt), ...common }
    : {
        url: await store.link(fileOf(record), expiresAt),
        ...common,
        bucket: store.bucket,
        key,
      };
}

/** The status of an export, with its links when it is done. */
export async function statusResponse(record: ExportRecord, links: Links) {
  const { id, kind, format, status, rows, bytes, failureCode, failureMessage } = record;
  return {
    id,
    kind,
    format,
    status,
    statusUrl: links.signer.url(statusPath(id)),
    rows,
    bytes,
    percent: percentOf(record),
    metadataVersion: record.metadataVersion,
    createdAt: record.createdAt.toISOString(),
    finishedAt: record.finishedAt?.toISOString() ?? null,
    expiresAt: record.expiresAt.toISOString(),
    ...(failureCode === null ? {} : { failure: { code: failureCode, message: failureMessage } }),
    ...(status === 'done' ? await fileResponse(record, links) : {}),
  };
}

export function csvPath(id: string): string {
  return `/csv/${id}`;
}

function statusPath(id: string): string {
  return `/exports/${id}`;
}

// At most 99 until it is done, because expectedRows is an estimate.
function percentOf({ status, rows, expectedRows }: ExportRecord): number | null {
  if (status === 'done') return 100;
  if (expectedRows === null || expectedRows === 0) return null;
  return Math.min(99, Math.floor((100 * rows) / expectedRows));
}
