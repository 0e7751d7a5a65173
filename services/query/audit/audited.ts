import type { Request, RequestHandler, Response } from 'express';
import type { QueryCost } from '../execution/query-request.ts';
import { auditContextOf } from './audit-context.ts';

/** Handles a request and updates the cost of its queries. */
export type AuditedHandler = (req: Request, res: Response, cost: QueryCost) => Promise<void>;

export function audited(handler: AuditedHandler): RequestHandler {
  return (req, res) => handler(req, res, auditContextOf(res).cost);
}
