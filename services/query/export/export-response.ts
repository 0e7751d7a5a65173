import type { ObjectStore } from '../../shared/object-store/object-store.ts';
import { type ExportRecord, type ExportStatus, fileOf } from './export-record.ts';
import type { LinkSigner } from './link-signer.ts';

export interface Links {
  readonly signer: LinkSigner;
  readonly store: ObjectStore;
  /** The longest duration of an export. */
  readonly timeoutMs: number;
}

/** The response to a request for a file: ready, or running with a link that waits for it. */
export async function fileResponse(record: ExportRecord, links: Links) {
  const { id, status, expiresAt, rows, bytes } = record;
  return {
    ...(await fileLink(record, links)),
    status: statusWord(status),
    statusUrl: links.signer.url(statusPath(id)),
    expiresAt: expiresAt.toISOString(),
    ...(status === 'done' ? { rows, bytes } : {}),
  };
}

/** The status of an export, with its link unless it has no file and will have none. */
export async function statusResponse(record: ExportRecord, links: Links) {
  const { id, kind, format, status, rows, bytes, failureCode, failureMessage } = record;
  return {
    id,
    kind,
    format,
    status: statusWord(status),
    statusUrl: links.signer.url(statusPath(id)),
    rows,
    bytes,
    percent: percentOf(record),
    metadataVersion: record.metadataVersion,
    createdAt: record.createdAt.toISOString(),
    finishedAt: record.finishedAt?.toISOString() ?? null,
    expiresAt: record.expiresAt.toISOString(),
    ...(failureCode === null ? {} : { failure: { code: failureCode, message: failureMessage } }),
    ...(status === 'done' || status === 'running' ? await fileLink(record, links) : {}),
  };
}

/** The object store's own link cannot wait, so a running export has a link to this service. */
async function fileLink(record: ExportRecord, { signer, store, timeoutMs }: Links) {
  const { id, destination, status, key, expiresAt } = record;
  const object = destination === 'download' ? { bucket: store.bucket, key } : {};
  if (status === 'running') {
    const latest = new Date(expiresAt.getTime() + timeoutMs);
    return { url: signer.link(csvPath(id), latest), ...object };
  }
  const url =
    destination === 'csv'
      ? signer.link(csvPath(id), expiresAt)
      : await store.link(fileOf(record), expiresAt);
  return { url, ...object };
}

export function csvPath(id: string): string {
  return `/csv/${id}`;
}

function statusPath(id: string): string {
  return `/exports/${id}`;
}

/** The contract's word for a status. Records in Postgres have `done`. */
function statusWord(status: ExportStatus) {
  return status === 'done' ? 'ready' : status;
}

// At most 99 until it is ready, because expectedRows is an estimate.
function percentOf({ status, rows, expectedRows }: ExportRecord): number | null {
  if (status === 'done') return 100;
  if (expectedRows === null || expectedRows === 0) return null;
  return Math.min(99, Math.floor((100 * rows) / expectedRows));
}
