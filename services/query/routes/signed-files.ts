import { type Response, Router } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import { csvPath } from '../export/export-response.ts';
import { contentTypes, exportFormats } from '../export/export-format.ts';
import { exportIdOf, type ExportRecord, fileOf } from '../export/export-record.ts';
import { type ExportService, objectPath } from '../export/export-service.ts';
import { sendFile } from '../export/send-file.ts';
import type { StoredFile } from '../store/object-store.ts';

/** Signed links to exports. They need no token. */
export function signedFiles({ ledger, signer, store }: ExportService): Router {
  const routes = Router();
  routes.get('/csv/:id', async (req, res) => {
    const { id } = req.params;
    signer.verify(csvPath(id), req.query);
    const record = await ledger.find(id);
    auditDownload(res, id, record);
    if (record?.status === 'erased') throw new AppError('EXPORT_ERASED');
    if (record?.status !== 'done') throw new AppError('NOT_FOUND');
    await sendFile(req, res, store, fileOf(record));
  });
  // Only for the folder store: S3 serves its own links.
  routes.get('/objects/*key', async (req, res) => {
    const key = req.params.key.join('/');
    signer.verify(objectPath(key), req.query);
    const id = exportIdOf(key);
    auditDownload(res, id, await ledger.find(id));
    await sendFile(req, res, store, objectFile(key));
  });
  return routes;
}

/** A link works for everyone who has it: the audit has the owner of the file, and no token. */
function auditDownload(res: Response, id: string, record: ExportRecord | undefined): void {
  const context = auditContextOf(res);
  context.request = { id, via: 'link' };
  if (record === undefined) return;
  context.organisationId = record.organisationId;
  context.cost.queryId = id;
  res.once('finish', () => {
    // A range has its own length. A compressed response has none.
    context.cost.bytesReturned = Number(res.getHeader('content-length') ?? record.bytes);
    if (res.statusCode === 200) context.cost.rows = record.rows;
  });
}

function objectFile(key: string): StoredFile {
  const format = exportFormats.findLast((candidate) => key.endsWith(`.${candidate}`)) ?? 'csv';
  return { key, contentType: contentTypes[format], fileName: key.slice(key.lastIndexOf('/') + 1) };
}
