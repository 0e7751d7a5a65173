import type { RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { statusResponse } from '../export/export-response.ts';
import type { ExportRecord } from '../export/export-record.ts';
import { requireFloorOfExport } from '../request/privacy-floor.ts';
import type { QueryTools } from './query-tools.ts';

export function getExport(tools: QueryTools): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const record = await ownExport(tools, res, req.params.id);
    await sendOk(res, { data: await statusResponse(record, tools.exports) });
  };
}

export function deleteExport(tools: QueryTools): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { organisationId, id } = await ownExport(tools, res, req.params.id);
    await tools.exports.runner.cancel(organisationId, id);
    const record = await ownExport(tools, res, id);
    await sendOk(res, { data: await statusResponse(record, tools.exports) });
  };
}

/**
 * Another organisation's export looks exactly like one that does not exist. One that was made with a smaller privacy
 * floor, by another token, is refused.
 */
export async function ownExport(
  { exports }: QueryTools,
  res: Response,
  id: string,
): Promise<ExportRecord> {
  const { organisationId, minAgents } = callerOf(res);
  const record = await exports.ledger.findOwn(organisationId, id);
  if (record?.organisationId !== organisationId) throw new AppError('NOT_FOUND');
  requireFloorOfExport(minAgents, record.minAgents);
  return record;
}
