import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import type { Erasure } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import type { ErasureTools } from '../erasure-tools.ts';
import { identifierPattern } from '../identifier-pattern.ts';
import { removeAnswers } from './remove-answers.ts';
import { removeViews } from './remove-views.ts';

/**
 * Replaces stored requests that name the household, as a whole: the rest of a request, such as new
 * custom values, is about the household as well. Who sent it, when, and its cost stay in the record.
 */
export async function redactRequests(tools: ErasureTools, erasure: Erasure): Promise<void> {
  await removeViews(tools, erasure);
  await removeAnswers(tools, erasure);
  const identifiers = erasure.identifiers ?? [];
  // An erasure that is repeated after a restore, when its identifiers are forgotten.
  if (identifiers.length === 0) return;
  const redaction = {
    organisationId: erasure.organisationId,
    pattern: identifierPattern(identifiers),
    replacement: JSON.stringify({ erased: erasure.id }),
  };
  const redacted = {
    metadata_changes: await redactChanges(tools.database, erasure.id, redaction),
    exports: await redactExports(tools.database, redaction),
    query_audit: await redactAudit(tools.clickhouse, redaction),
  };
  await tools.database.transaction((transaction) =>
    recordCounts(transaction, erasure.id, { redacted }),
  );
}

interface Redaction {
  readonly organisationId: number;
  readonly pattern: string;
  readonly replacement: string;
}

/** A request that was replaced before; the id in it could look like an identifier. */
const replaced = String.raw`^\{"erased": ?"[-0-9a-f]{36}"\}$`;

/** By a function of the database: the service itself may not change what it has recorded. */
async function redactChanges(
  database: Database,
  erasureId: string,
  { pattern }: Redaction,
): Promise<number> {
  const { rows } = await database.raw<{ rows: [{ redacted: number }] }>(
    'select redact_metadata_changes(?, ?) as redacted',
    [erasureId, pattern],
  );
  return rows[0].redacted;
}

async function redactExports(
  database: Database,
  { organisationId, pattern, replacement }: Redaction,
): Promise<number> {
  return database('exports')
    .where({ organisation_id: organisationId })
    .whereRaw('request::text ~* ? and request::text !~ ?', [pattern, replaced])
    .update({ request: replacement });
}

/** Bounds the length of a statement. */
const requestsPerMutation = 10_000;

/**
 * ClickHouse keeps the text of mutations in system.mutations, so it must not contain the identifiers: a
 * query finds the requests, and the mutation names them by a hash of their query_id.
 */
async function redactAudit(
  clickhouse: ClickHouseClient,
  { organisationId, pattern, replacement }: Redaction,
): Promise<number> {
  const done = new Set<string>();
  for (let count = 0; ;) {
    const requests = await queryRows<{ hash: string; count: string }>(
      clickhouse,
      `SELECT toString(cityHash64(query_id)) AS hash, count() AS count FROM query_audit
WHERE organisation_id = {organisationId:UInt32}
  AND match(request, {pattern:String}) AND NOT match(request, {replaced:String})
GROUP BY hash LIMIT ${requestsPerMutation}`,
      {
        query_params: { organisationId, pattern: `(?i)${pattern}`, replaced },
        clickhouse_settings: { log_queries: 0 },
      },
    );
    if (requests.length === 0) return count;
    const hashes = requests.map(({ hash }) => String(BigInt(hash)));
    if (hashes.some((hash) => done.has(hash))) {
      throw new Error('query_audit still has requests that were replaced');
    }
    await clickhouse.command({
      query: `ALTER TABLE query_audit UPDATE request = '${replacement}'
WHERE organisation_id = ${organisationId} AND cityHash64(query_id) IN (${hashes.join(', ')})`,
      clickhouse_settings: { mutations_sync: '2', max_query_size: '1048576' },
    });
    hashes.forEach((hash) => done.add(hash));
    for (const request of requests) count += Number(request.count);
  }
}
