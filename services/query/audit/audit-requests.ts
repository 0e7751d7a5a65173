import type { RequestHandler, Response } from 'express';
import { knownCallerOf, requestIdOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { auditContextOf } from './audit-context.ts';
import { auditTime, type QueryAudit } from './query-audit.ts';
import { requestText } from './request-text.ts';
import { codeOfStatus } from '../../shared/errors/error-codes.ts';

/**
 * Records every request when its response has ended, on success, error or client disconnect. Must come
 * before authentication, so that refused requests are recorded too.
 */
export function auditRequests(audit: QueryAudit): RequestHandler {
  return (req, res, next) => {
    const startedAtMs = Date.now();
    const startedMs = performance.now();
    res.once('close', () => {
      const { cost, request, startedExport, ...owner } = auditContextOf(res);
      const { organisationId, tokenId } = knownCallerOf(res) ?? {
        organisationId: owner.organisationId,
        tokenId: 0,
      };
      const status = res.headersSent ? res.statusCode : clientClosedRequest;
      if (startedExport) return;
      if (organisationId === undefined) {
        audit.countRefused({ address: req.ip ?? '', status, code: codeOfStatus(status) });
        return;
      }
      audit.record({
        occurred_at: auditTime(startedAtMs),
        organisation_id: organisationId,
        token_id: tokenId,
        route: `${req.method} ${routePattern(req)}`,
        query_id: cost.queryId ?? requestIdOf(res),
        request: requestText(req, request),
        status,
        code: codeOfStatus(status),
        rows_read: cost.rowsRead,
        bytes_read: cost.bytesRead,
        rows_returned: cost.rows,
        bytes_returned: cost.bytesReturned || contentLength(res),
        duration_ms: Math.round(performance.now() - startedMs),
        aborted: !res.writableFinished,
      });
    });
    next();
  };
}

// The status that nginx logs when the client disconnects before the response.
const clientClosedRequest = 499;

function contentLength(res: Response): number {
  return Number(res.getHeader('content-length') ?? 0);
}
