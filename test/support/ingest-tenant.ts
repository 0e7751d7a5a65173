import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { assertDocumented } from './assert-documented.ts';
import { localStack } from './local-stack.ts';
import { addAgent, newTenant, newTenantToken, type Tenant } from './tenant.ts';

export type PostBody = string | Uint8Array<ArrayBuffer>;

export interface IngestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly code: string;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>> & {
      readonly rejects: readonly { readonly row: number; readonly reason: string }[];
    };
    readonly errors?: Readonly<Record<string, readonly string[]>>;
  };
}

export interface IngestTenant extends Tenant {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly token: string;
  /** The only registered agent: unit 7, box-7. */
  readonly agentKey: number;
  post(path: string, body: PostBody, headers?: Record<string, string>): Promise<IngestReply>;
  /** Rows of a test of this organisation, as queries see them. */
  readonly rows: (
    test: string,
    columns: string,
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** An organisation with one agent and a token that may send results. */
export async function ingestTenant(url?: string): Promise<IngestTenant> {
  const { ingestUrl, database, clickhouse } = await localStack();
  const tenant = await newTenant(database);
  const { organisationId } = tenant;
  const token = await newTenantToken(database, organisationId, 'data', {
    scopes: ['results:write'],
  });
  const agentKey = await addAgent(database, organisationId, { agentId: 'box-7', unitId: 7 });
  return {
    ...tenant,
    database,
    clickhouse,
    token,
    agentKey,
    post: (path, body, headers = {}) => postResults(url ?? ingestUrl, token, path, body, headers),
    rows: (test, columns) =>
      queryRows(
        clickhouse,
        `SELECT ${columns} FROM test_${test} FINAL WHERE organisation_id = {organisationId:UInt32} ORDER BY dtime`,
        { query_params: { organisationId } },
      ),
  };
}

/** Checks the response against openapi/ingest.yaml. */
export async function postResults(
  url: string,
  token: string,
  path: string,
  body: PostBody,
  headers: Record<string, string> = {},
): Promise<IngestReply> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-ndjson',
      ...headers,
    },
  });
  const { status } = response;
  const reply = {
    status,
    headers: response.headers,
    body: (await response.json()) as IngestReply['body'],
  };
  await assertDocumented('ingest.yaml', { method: 'POST', path, status, body: reply.body });
  return reply;
}

/** A time some minutes ago: `2026-11-15 18:30:00`. */
export function minutesAgo(minutes: number): string {
  const time = new Date(Date.now() - minutes * 60_000);
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** A result of unit 7, some minutes ago. */
export function result(minutes: number, bytesSec: number | string): Record<string, unknown> {
  return { unit_id: 7, dtime: minutesAgo(minutes), target: 'a', bytes_sec: bytesSec, successes: 1 };
}

export function ndjson(...rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
