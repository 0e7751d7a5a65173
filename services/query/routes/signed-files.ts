import { type Response, Router } from 'express';
import { auditContextOf } from '../audit/audit-context.ts';
import { contentTypes, exportFormats } from '../formats/file-format.ts';
import { exportIdOf, type ExportRecord, fileOf } from '../export/export-record.ts';
import { csvPath } from '../export/export-response.ts';
import { type ExportService, objectPath } from '../export/export-service.ts';
import { requireFile } from '../export/require-file.ts';
import { sendFile } from '../export/send-file.ts';
import { clientDisconnect, ClientDisconnectedError } from '../../shared/http/client-disconnect.ts';
import { setClock } from '../response/set-clock.ts';
import type { StoredFile } from '../../shared/object-store/object-store.ts';

/** Signed links to exports. They need no token. */
export function signedFiles({ ledger, signer, store, downloads }: ExportService): Router {
  const routes = Router();
  routes.get('/csv/:id', async (req, res) => {
    const { id } = req.params;
    signer.verify(csvPath(id), req.query);
    const found = await ledger.find(id);
    auditOwner(res, id, found);
    const record = await ended(requireFile(found), res);
    if (record === undefined) return;
    describeFile(res, record);
    await sendFile(req, res, store, fileOf(record));
  });
  // Only for the folder store: S3 serves its own links.
  routes.get('/objects/*key', async (req, res) => {
    const key = req.params.key.join('/');
    signer.verify(objectPath(key), req.query);
    const id = exportIdOf(key);
    const record = await ledger.find(id);
    auditOwner(res, id, record);
    if (record !== undefined) describeFile(res, record);
    await sendFile(req, res, store, objectFile(key));
  });
  return routes;

  /** Waits while the export is running. Undefined if the client disconnects. */
  async function ended(record: ExportRecord, res: Response): Promise<ExportRecord | undefined> {
    if (record.status !== 'running') return record;
    try {
      return requireFile(await downloads.ended(record, clientDisconnect(res)));
    } catch (error) {
      if (error instanceof ClientDisconnectedError) return undefined;
      throw error;
    }
  }
}

/** A link works for everyone who has it: the audit has the owner of the file, and no token. */
function auditOwner(res: Response, id: string, record: ExportRecord | undefined): void {
  const context = auditContextOf(res);
  context.request = { id, via: 'link' };
  if (record === undefined) return;
  context.organisationId = record.organisationId;
  context.cost.queryId = id;
}

/** Sets the clock of the file's times, and its size in the audit. */
function describeFile(res: Response, { kind, rows, bytes }: ExportRecord): void {
  setClock(res, kind);
  const { cost } = auditContextOf(res);
  res.once('finish', () => {
    // A range has its own length. A compressed response has none.
    cost.bytesReturned = Number(res.getHeader('content-length') ?? bytes);
    if (res.statusCode === 200) cost.rows = rows;
  });
}

function objectFile(key: string): StoredFile {
  const format = exportFormats.findLast((candidate) => key.endsWith(`.${candidate}`)) ?? 'csv';
  return { key, contentType: contentTypes[format], fileName: key.slice(key.lastIndexOf('/') + 1) };
}
