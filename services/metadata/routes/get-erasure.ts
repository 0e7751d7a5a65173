import type { RequestHandler } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { findErasure } from '../erasure/erasure-ledger.ts';
import { erasureResponse } from '../erasure/erasure-response.ts';

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
