import type { Request, RequestHandler, Response } from 'express';
import { errorCodes } from '../../shared/errors/error-codes.ts';
import { callerOf, requestIdOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { redactOwnTokens } from '../../shared/logging/redact-tokens.ts';
import { noCost, type QueryCost } from '../execution/query-request.ts';
import type { QueryAudit } from './query-audit.ts';

/** Handles a request and updates the cost of its queries. */
export type AuditedHandler = (req: Request, res: Response, cost: QueryCost) => Promise<void>;

/** Records the request when its response has ended, on success, error or client disconnect. */
export function audited(audit: QueryAudit, handler: AuditedHandler): RequestHandler {
  return (req, res) => {
    const startedAtMs = Date.now();
    const cost = noCost();
    res.once('close', () => {
      const { tokenId, organisationId } = callerOf(res);
      const status = res.headersSent ? res.statusCode : clientClosedRequest;
      audit.record({
        occurred_at: new Date(startedAtMs).toISOString().replace('Z', ''),
        organisation_id: organisationId,
        token_id: tokenId,
        route: `${req.method} ${routePattern(req)}`,
        query_id: cost.queryId ?? requestIdOf(res),
        request: bodyText(req.body),
        status,
        code: codeOf(status),
        rows_read: cost.rowsRead,
        bytes_read: cost.bytesRead,
        rows_returned: cost.rows,
        bytes_returned: cost.bytesReturned,
        duration_ms: Date.now() - startedAtMs,
        aborted: !res.writableFinished,
      });
    });
    return handler(req, res, cost);
  };
}

// The status that nginx logs when the client disconnects before the response.
const clientClosedRequest = 499;

function codeOf(status: number): string {
  if (status < 300) return 'OK';
  const found = Object.entries(errorCodes).find(([, entry]) => entry.status === status);
  return found?.[0] ?? '';
}

// Longer than any valid request.
const maxRequestLength = 65_536;

function bodyText(body: unknown): string {
  if (body === undefined) return '';
  return redactOwnTokens(JSON.stringify(body)).slice(0, maxRequestLength);
}
