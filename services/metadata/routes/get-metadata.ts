import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk, sendPage } from '../../shared/http/envelope.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { tracedDatabase } from '../../shared/tracing/traced.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { parseHistoryPage } from '../request/parse-page.ts';
import { readAgentHistory } from '../agents/agent-history.ts';
import { agentMetadataReader } from '../agents/agent-metadata.ts';

type LookupRequest = Request<{ field: string; value: string }>;
type LookupHandler = RequestHandler<{ field: string; value: string }>;

export function getMetadata(database: Database): LookupHandler {
  const read = agentMetadataReader(database);
  return async (req: LookupRequest, res: Response) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const { version, metadata } = await tracedDatabase('read', () => read(organisationId, lookup));
    res.set(metadataVersionHeader, String(version));
    if (metadata === undefined) throw new AppError('NOT_FOUND');
    await sendOk(res, { data: metadata });
  };
}

export function getMetadataHistory(database: Database): LookupHandler {
  return async (req: LookupRequest, res: Response) => {
    const { organisationId } = callerOf(res);
    const { field, value } = req.params;
    const lookup = parseAgentLookup(field, value);
    const page = parseHistoryPage(req.query);
    const history = await tracedDatabase('read', () =>
      readAgentHistory(database, organisationId, lookup, page),
    );
    const { version, periods, next: after } = history;
    res.set(metadataVersionHeader, String(version));
    if (periods === undefined) throw new AppError('NOT_FOUND');
    const parameters = new URLSearchParams({ limit: String(page.limit), after: after ?? '' });
    const next = `/metadata/${field}/${encodeURIComponent(value)}/history?${parameters.toString()}`;
    await sendPage(res, after === undefined ? undefined : next, { data: periods });
  };
}
