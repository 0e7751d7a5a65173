import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { postgresSpanAttributes } from '../../shared/postgres/postgres-span-attributes.ts';
import { traced } from '../../shared/tracing/traced.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { parseHistoryPage } from '../request/parse-history-page.ts';
import { readAgentHistory } from '../store/agent-history.ts';
import { AgentMetadataReader } from '../store/agent-metadata.ts';

type LookupRequest = Request<{ field: string; value: string }>;
type LookupHandler = RequestHandler<{ field: string; value: string }>;

export function getMetadata(database: Database): LookupHandler {
  const reader = new AgentMetadataReader(database);
  return async (req: LookupRequest, res: Response) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const { version, metadata } = await traced('database', postgresSpanAttributes('read'), () =>
      reader.read(organisationId, lookup),
    );
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
    const history = await traced('database', postgresSpanAttributes('read'), () =>
      readAgentHistory(database, organisationId, lookup, page),
    );
    const { version, periods, next: after } = history;
    res.set(metadataVersionHeader, String(version));
    if (periods === undefined) throw new AppError('NOT_FOUND');
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
