import { AppError } from '../../shared/errors/app-error.ts';
import type { ExportRecord } from './export-record.ts';

/** Returns the export if it is running or ready. Throws if it has no file and will have none. */
export function requireFile(record: ExportRecord | undefined): ExportRecord {
  switch (record?.status) {
    case 'running':
      return record;
    case 'done':
      if (record.expiresAt.getTime() <= Date.now()) throw linkExpired();
      return record;
    case 'expired':
      throw linkExpired();
    case 'erased':
      throw new AppError('EXPORT_ERASED');
    case 'failed':
      throw failure(record);
    case 'cancelled':
      // A complete file has a hash: it was deleted.
      throw new AppError(record.sha256 === null ? 'EXPORT_CANCELLED' : 'NOT_FOUND');
    case undefined:
      throw new AppError('NOT_FOUND');
  }
}

// The link of a running export is signed for longer than its file is kept.
function linkExpired(): AppError {
  return new AppError('ACCESS_DENIED', { publicMessage: 'The link has expired.' });
}

// Not the failure's own status: clients repeat a request after 503 or 504, and this one cannot succeed.
function failure({ failureMessage }: ExportRecord): AppError {
  const publicMessage = `The export has failed. ${failureMessage ?? 'Please start it again.'}`;
  return new AppError('NOT_FOUND', { publicMessage });
}
