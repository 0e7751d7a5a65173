import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { parseHistoryPage } from '../request/parse-history-page.ts';
import { readAgentHistory } from '../store/agent-history.ts';
import { readAgentMetadata } from '../store/agent-metadata.ts';
import { versionedRead } from './versioned-read.ts';

type LookupRequest = Request<{ field: string; value: string }>;
type LookupHandler = RequestHandler<{ field: string; value: string }>;

export function getMetadata(database: Database): LookupHandler {
  return async (req: LookupRequest, res: Response) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const metadata = await versionedRead(database, res, (transaction) =>
      readAgentMetadata(transaction, organisationId, lookup, new Date()),
    );
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
    const history = await versionedRead(database, res, (transaction) =>
      readAgentHistory(transaction, organisationId, lookup, page),
    );
    if (history === undefined) throw new AppError('NOT_FOUND');
    const { periods, next: after } = history;
    if (after === undefined) {
      await sendOk(res, { data: periods });
      return;
    }
    const parameters = new URLSearchParams({ limit: String(page.limit), after }).toString();
    const next = `/metadata/${field}/${encodeURIComponent(value)}/history?${parameters}`;
    res.set('Link', `<${next}>; rel="next"`);
    await sendOk(res, { data: periods, next });
  };
}
