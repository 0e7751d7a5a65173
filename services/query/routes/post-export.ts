import type { Request, RequestHandler, Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Warning } from '../../shared/errors/warnings.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import { withFormat } from '../formats/file-format.ts';
import type { ExportDestination, ExportRecord } from '../export/export-record.ts';
import { fileResponse, type Links, statusResponse } from '../export/export-response.ts';
import type { RunningExport } from '../export/export-runner.ts';
import { requireFile } from '../export/require-file.ts';
import type { DataKind } from './data-kinds.ts';
import { ownExport } from './exports.ts';
import { metadataVersionsOf } from './metadata-version.ts';
import type { QueryTools } from './query-tools.ts';

export function exportData(
  tools: QueryTools,
  { kind, reader }: DataKind,
  destination: ExportDestination,
): RequestHandler {
  return async (req, res) => {
    const read = await reader(tools, req, res);
    const parse = (body: unknown) => read(body, 'csv');
    const { format, parsed } =
      destination === 'download'
        ? await withFormat(req.body, parse)
        : { format: 'csv' as const, parsed: await parse(req.body) };
    const { compiled, isRowPerResult, warnings } = parsed;
    const audit = auditContextOf(res);
    const started = await tools.exports.runner.start({
      caller: callerOf(res),
      route: `${req.method} ${routePattern(req)}`,
      destination,
      format,
      request: req.body as unknown,
      metadataVersion: metadataVersionsOf(res).published,
      cost: audit.cost,
      kind,
      query: compiled,
      isRowPerResult,
    });
    res.set('X-Query-Id', started.id);
    audit.startedExport = true;
    const isAsync = prefersAsync(req);
    await waitForFile(started, isAsync ? 0 : tools.config.exportWaitMs, tools, res);
    if (res.destroyed) return;
    const found = await ownExport(tools, res, started.id);
    // Throws the failure of an export that ended just now.
    if (found.status !== 'running') await started.finished;
    const record = requireFile(found);
    await (isAsync ? sendStarted : sendLink)(res, record, tools.exports, await warnings);
  };
}

/** RFC 7240: `Prefer: respond-async`, alone or with other preferences. */
function prefersAsync(req: Request): boolean {
  const preferences = (req.get('prefer') ?? '').split(/[,;]/);
  return preferences.some((one) => one.trim().toLowerCase() === 'respond-async');
}

/**
 * Waits until the export has ended or the timeout. Cancels the export if the client disconnects while
 * it waits: the client has no link to the file.
 */
async function waitForFile(
  { id, finished }: RunningExport,
  timeoutMs: number,
  { exports }: QueryTools,
  res: Response,
): Promise<void> {
  if (timeoutMs === 0) {
    finished.catch(() => undefined);
    return;
  }
  // If the cancellation fails, the export runs to its end and expires.
  const { organisationId } = callerOf(res);
  const onClose = () => void exports.runner.cancel(organisationId, id).catch(() => undefined);
  const waited = new AbortController();
  res.once('close', onClose);
  try {
    await Promise.race([finished, sleep(timeoutMs, undefined, { signal: waited.signal })]);
  } finally {
    waited.abort();
    res.off('close', onClose);
  }
}

/** 202: the status of an export that has begun. */
async function sendStarted(
  res: Response,
  record: ExportRecord,
  links: Links,
  warnings: readonly Warning[],
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
async function sendLink(
  res: Response,
  record: ExportRecord,
  links: Links,
  warnings: readonly Warning[],
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
