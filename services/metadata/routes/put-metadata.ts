import type { Request, RequestHandler, Response } from 'express';
import { findPackage } from '../../registry/packages.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { postgresSpanAttributes } from '../../shared/postgres/postgres-span-attributes.ts';
import { traced } from '../../shared/tracing/traced.ts';
import { applyChange } from '../history/apply-change.ts';
import { parseMetadataChange } from '../request/parse-metadata-change.ts';

export function putMetadata(database: Database, onChange: () => void): RequestHandler {
  return async (req: Request, res: Response) => {
    if (req.is('application/json') === false) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
    const now = new Date();
    const caller = callerOf(res);
    const body: unknown = req.body;
    const change = await parseMetadataChange(body, now, (name) =>
      findPackage(database, caller.organisationId, name),
    );
    const applied = await traced('database', postgresSpanAttributes('change'), () =>
      applyChange(database, change, { caller, body, now }),
    );
    if (applied.matchedAgents === 0) throw new AppError('NOT_FOUND');
    if (applied.changedHistory) onChange();
    sendOk(res, { message: 'Metadata updated successfully' });
  };
}
