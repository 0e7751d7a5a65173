import type { RequestHandler } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { parseChangesPage } from '../request/parse-changes-page.ts';
import { readAgentChanges } from '../store/agent-changes.ts';
import { versionedRead } from './versioned-read.ts';

export function getChanges(database: Database): RequestHandler<{ field: string; value: string }> {
  return async (req, res) => {
    const { organisationId } = callerOf(res);
    const { field, value } = req.params;
    const lookup = parseAgentLookup(field, value);
    const page = parseChangesPage(req.query);
    const found = await versionedRead(database, res, (transaction) =>
      readAgentChanges(transaction, organisationId, lookup, page),
    );
    if (found === undefined) throw new AppError('NOT_FOUND');
    const { changes, next: before } = found;
    if (before === undefined) {
      await sendOk(res, { data: changes });
      return;
    }
    const next = `/metadata/${field}/${encodeURIComponent(value)}/changes?limit=${page.limit}&before=${before}`;
    res.set('Link', `<${next}>; rel="next"`);
    await sendOk(res, { data: changes, next });
  };
}
