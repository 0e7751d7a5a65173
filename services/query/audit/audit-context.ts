import type { Response } from 'express';
import { noCost, type QueryCost } from '../execution/query-request.ts';

/** What the audit records about a request besides its caller, set while the request is handled. */
export interface AuditContext {
  readonly cost: QueryCost;
  /** The owner of the data, for a signed link, which needs no token. */
  organisationId?: number;
  /** Recorded instead of the request's body and parameters. */
  request?: object;
  /** The request has started an export, which is audited when it ends. */
  startedExport?: true;
}

export function auditContextOf(res: Response): AuditContext {
  const locals = res.locals as { audit?: AuditContext };
  return (locals.audit ??= { cost: noCost() });
}
