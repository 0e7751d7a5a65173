import type { Response } from 'express';
import type { Warning } from '../../shared/errors/warnings.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import type { ExportDestination, ExportRecord } from '../export/export-record.ts';
import { fileResponse, type Links, statusResponse } from '../export/export-response.ts';

interface Parts {
  readonly links: Links;
  readonly warnings: readonly Warning[];
}

/** 202: the status of an export that has begun. */
export async function sendStarted(
  res: Response,
  record: ExportRecord,
  { links, warnings }: Parts,
): Promise<void> {
  const data = await statusResponse(record, links);
  res.status(202).set({
    Location: data.statusUrl,
    'Preference-Applied': 'respond-async',
    'Retry-After': '1',
  });
  const message =
    'The export is running. Poll statusUrl until status is ready, or request url, which waits for the file.';
  await sendOk(res, { data, message, warnings });
}

/** 200: the link to the file, which is ready or is being made. */
export async function sendLink(
  res: Response,
  record: ExportRecord,
  { links, warnings }: Parts,
): Promise<void> {
  const data = await fileResponse(record, links);
  const { status, destination } = record;
  const message = status === 'running' ? { message: runningMessages[destination] } : {};
  await sendOk(res, { data, ...message, warnings });
}

const runningMessages: Readonly<Record<ExportDestination, string>> = {
  csv: 'The export is running. url waits for the file.',
  download:
    'The export is running. url waits for the file and sends it through this service. When status is ready, statusUrl has the link of the object store.',
};
