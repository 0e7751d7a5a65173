import type { RequestHandler, Response } from 'express';
import { AppError } from '../../shared/errors/app-error.ts';
import { sendOk, sendPage } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { parseAgentLookup } from '../request/parse-agent-lookup.ts';
import { parseAgentsPage, parseChangesPage } from '../request/parse-page.ts';
import { readAgentChanges } from '../agents/agent-changes.ts';
import { findAgent, listAgents } from '../agents/agent-list.ts';
import { readMetadataVersions } from '../../registry/versions/metadata-versions.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { tracedDatabase } from '../../shared/tracing/traced.ts';

export function getAgents(database: Database): RequestHandler {
  return async (req, res) => {
    const { organisationId } = callerOf(res);
    const page = parseAgentsPage(req.query);
    const { agents, hasMore } = await versionedRead(database, res, (transaction) =>
      listAgents(transaction, organisationId, page),
    );
    const parameters = new URLSearchParams({
      ...(page.search === undefined ? {} : { search: page.search }),
      limit: String(page.limit),
      after: agents.at(-1)?.agentId ?? '',
    });
    await sendPage(res, hasMore ? `/agents?${parameters.toString()}` : undefined, { data: agents });
  };
}

export function getAgent(database: Database): RequestHandler<{ field: string; value: string }> {
  return async (req, res) => {
    const { organisationId } = callerOf(res);
    const lookup = parseAgentLookup(req.params.field, req.params.value);
    const agent = await versionedRead(database, res, (transaction) =>
      findAgent(transaction, organisationId, lookup),
    );
    if (agent === undefined) throw new AppError('NOT_FOUND');
    await sendOk(res, { data: agent });
  };
}

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
    const path = `/metadata/${field}/${encodeURIComponent(value)}/changes?limit=${page.limit}`;
    const next = found.next === undefined ? undefined : `${path}&before=${found.next}`;
    await sendPage(res, next, { data: found.changes });
  };
}

/** Sends the metadata version as a header. It is read first, so that the response is not older. */
function versionedRead<T>(
  database: Database,
  res: Response,
  read: (transaction: Database) => Promise<T>,
): Promise<T> {
  const { organisationId } = callerOf(res);
  return tracedDatabase('read', () =>
    inOrganisation(database, organisationId, async (transaction) => {
      const { current } = await readMetadataVersions(transaction, organisationId);
      res.set(metadataVersionHeader, String(current));
      return read(transaction);
    }),
  );
}
