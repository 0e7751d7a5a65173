import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { findErasure } from '../erasure/erasure-ledger.ts';
import { type IdentifierField, requestErasure } from '../erasure/request-erasure.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import type { MetadataTools } from './metadata-tools.ts';
import { erasureResponse } from '../erasure/erasure.ts';

/** Records the erasure of an agent, which the worker carries out. */
export function deleteMetadata({
  changes,
  config,
  logger,
  onErasure,
}: MetadataTools): RequestHandler<{ field: string; value: string }> {
  return async (req: Request<{ field: string; value: string }>, res: Response) => {
    const { organisationId, tokenId } = callerOf(res);
    const { field, value } = req.params;
    // Refuses other fields than these.
    parseAgentLookup(field, value);
    const { ids } = await requestErasure(changes, {
      organisationId,
      tokenId,
      field: field as IdentifierField,
      values: [value],
      lockTimeoutMs: config.changeLockTimeoutMs,
    });
    const erasure = await inOrganisation(changes, organisationId, (transaction) =>
      findErasure(transaction, ids[0] ?? ''),
    );
    if (erasure === undefined) throw new AppError('NOT_FOUND');
    logger.info('erasure requested', { id: erasure.id, organisationId });
    onErasure();
    const data = erasureResponse(erasure);
    res.status(erasure.endedAt === null ? 202 : 200).set('Location', data.statusUrl);
    await sendOk(res, { data });
  };
}

/** Another organisation's erasure looks exactly like one that does not exist. */
export function getErasure(database: Database): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { organisationId } = callerOf(res);
    const erasure = await inOrganisation(database, organisationId, (transaction) =>
      findErasure(transaction, req.params.id),
    );
    if (erasure?.organisationId !== organisationId) throw new AppError('NOT_FOUND');
    await sendOk(res, { data: erasureResponse(erasure) });
  };
}
