import type { ErrorCode } from '../../shared/errors/error-codes.ts';
import { contentTypes, type ExportFormat } from '../formats/file-format.ts';
import type { StoredFile } from '../../shared/object-store/object-store.ts';

export type ExportKind = 'metric_data' | 'test_data';

/** `csv`: a link to this service; `download`: a link to the object store, with bucket and key. */
export type ExportDestination = 'csv' | 'download';

export type ExportStatus = 'running' | 'done' | 'failed' | 'cancelled' | 'expired' | 'erased';

/** The record of an export in Postgres. */
export interface ExportRecord {
  readonly id: string;
  readonly organisationId: number;
  readonly kind: ExportKind;
  readonly destination: ExportDestination;
  readonly format: ExportFormat;
  readonly status: ExportStatus;
  readonly key: string;
  readonly rows: number;
  readonly bytes: number;
  /** An estimate; null if there is none. */
  readonly expectedRows: number | null;
  readonly sha256: Buffer | null;
  readonly failureCode: ErrorCode | null;
  readonly failureMessage: string | null;
  /** The metadata version that the file has used; null in records of earlier releases. */
  readonly metadataVersion: number | null;
  /** The privacy floor of the caller; null: none. */
  readonly minAgents: number | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
}

/** Their columns in Postgres. */
export const recordColumns = {
  id: 'id',
  organisationId: 'organisation_id',
  kind: 'kind',
  destination: 'destination',
  format: 'format',
  status: 'status',
  key: 'object_key',
  rows: 'row_count',
  bytes: 'byte_count',
  expectedRows: 'expected_rows',
  sha256: 'sha256',
  failureCode: 'failure_code',
  failureMessage: 'failure_message',
  metadataVersion: 'metadata_version',
  minAgents: 'min_agents',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof ExportRecord, string>;

/** The columns of a new record that its task does not have. */
export interface NewExport extends Pick<ExportRecord, 'destination' | 'minAgents' | 'expiresAt'> {
  readonly tokenId: number;
}

export function fileOf({
  id,
  kind,
  format,
  key,
}: Pick<ExportRecord, 'id' | 'kind' | 'format' | 'key'>): StoredFile {
  return { key, contentType: contentTypes[format], fileName: `${kind}-${id}.${format}` };
}

/** Contains the organisation and the day for operators and for lifecycle rules of the bucket. */
export function exportKey(prefix: string, organisationId: number, now: Date, name: string): string {
  return `${prefix}exports/${organisationId}/${now.toISOString().slice(0, 10)}/${name}`;
}

/** The key of the export that an object belongs to; undefined if it is not part of an export. */
export function exportKeyOf(key: string): string | undefined {
  return /^.*exports\/\d+\/[-\d]{10}\/[-0-9a-f]{36}\.(?:csv\.gz|csv|parquet)(?=$|\.manifest\.json$)/.exec(
    key,
  )?.[0];
}

/** The id in the key of an export's file or manifest; empty if there is none. */
export function exportIdOf(key: string): string {
  return /[-0-9a-f]{36}(?=\.[a-z.]+$)/.exec(key)?.[0] ?? '';
}

/** The manifest of an export file describes its content and origin. */
export function manifestOf({ key }: Pick<ExportRecord, 'key'>): StoredFile {
  const manifestKey = `${key}.manifest.json`;
  return { key: manifestKey, contentType: 'application/json', fileName: 'manifest.json' };
}
