import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { postgresSpanAttributes } from '../../shared/postgres/postgres-span-attributes.ts';
import { traced } from '../../shared/tracing/traced.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { readAgentHistory, readAgentMetadata } from '../store/agent-metadata.ts';

type LookupRequest = Request<{ field: string; value: string }>;
type LookupHandler = RequestHandler<{ field: string; value: string }>;

export function getMetadata(database: Database): LookupHandler {
  return async (req: LookupRequest, res: Response) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const metadata = await traced('database', postgresSpanAttributes('read'), () =>
      readAgentMetadata(database, organisationId, lookup, new Date()),
    );
    if (metadata === undefined) throw new AppError('NOT_FOUND');
    sendOk(res, { data: metadata });
  };
}

export function getMetadataHistory(database: Database): LookupHandler {
  return async (req: LookupRequest, res: Response) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const periods = await traced('database', postgresSpanAttributes('read'), () =>
      readAgentHistory(database, organisationId, lookup),
    );
    if (periods === undefined) throw new AppError('NOT_FOUND');
    sendOk(res, { data: periods });
  };
}
