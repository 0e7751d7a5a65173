import type { RequestHandler } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { parseAgentsPage } from '../request/parse-agents-page.ts';
import { findAgent, listAgents } from '../store/agent-list.ts';
import { versionedRead } from './versioned-read.ts';

export function getAgents(database: Database): RequestHandler {
  return async (req, res) => {
    const { organisationId } = callerOf(res);
    const page = parseAgentsPage(req.query);
    const { agents, hasMore } = await versionedRead(database, res, (transaction) =>
      listAgents(transaction, organisationId, page, new Date()),
    );
    if (!hasMore) {
      await sendOk(res, { data: agents });
      return;
    }
    const parameters = new URLSearchParams({
      ...(page.search === undefined ? {} : { search: page.search }),
      limit: String(page.limit),
      after: agents.at(-1)?.agentId ?? '',
    });
    const next = `/agents?${parameters.toString()}`;
    res.set('Link', `<${next}>; rel="next"`);
    await sendOk(res, { data: agents, next });
  };
}

export function getAgent(database: Database): RequestHandler<{ field: string; value: string }> {
  return async (req, res) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const agent = await versionedRead(database, res, (transaction) =>
      findAgent(transaction, organisationId, lookup, new Date()),
    );
    if (agent === undefined) throw new AppError('NOT_FOUND');
    await sendOk(res, { data: agent });
  };
}
