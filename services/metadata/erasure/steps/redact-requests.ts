import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import type { Erasure, ErasureTools } from '../erasure.ts';
import { recordCounts } from '../erasure-ledger.ts';
import { identifierPattern } from '../identifier-pattern.ts';

/**
 * Replaces stored requests that name the household, as a whole: the rest of a request, such as new
 * custom values, is about the household as well. Who sent it, when, and its cost stay in the record.
 */
export async function redactRequests(tools: ErasureTools, erasure: Erasure): Promise<void> {
  const { id, organisationId, identifiers } = erasure;
  // An erasure that is repeated after a restore, when its identifiers are forgotten.
  if (identifiers === null || identifiers.length === 0) return;
  const redaction = {
    id,
    organisationId,
    pattern: identifierPattern(identifiers),
    replacement: JSON.stringify({ erased: id }),
  };
  await removeViews(tools, redaction);
  await removeAnswers(tools, redaction);
  const redacted = {
    metadata_changes: await redactChanges(tools.database, redaction),
    exports: await redactExports(tools.database, redaction),
    query_audit: await redactAudit(tools.clickhouse, redaction),
  };
  await recordCounts(tools.database, id, { redacted });
}

interface Redaction {
  /** Of the erasure. */
  readonly id: string;
  readonly organisationId: number;
  readonly pattern: string;
  readonly replacement: string;
}

/** A request that was replaced before; the id in it could look like an identifier. */
const replaced = String.raw`^\{"erased": ?"[-0-9a-f]{36}"\}$`;

/** By a function of the database: the service itself may not change what it has recorded. */
async function redactChanges(database: Database, { id, pattern }: Redaction): Promise<number> {
  const { rows } = await database.raw<{ rows: [{ redacted: number }] }>(
    'select redact_metadata_changes(?, ?) as redacted',
    [id, pattern],
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

interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

/** Deletes saved views that name the household. */
async function removeViews({ database }: ErasureTools, redaction: Redaction): Promise<void> {
  const { id, organisationId } = redaction;
  const pattern = new RegExp(redaction.pattern, 'i');
  await database.transaction(async (transaction) => {
    // At most 200 of 8 KB. The states are URL-encoded, so that Postgres cannot search them.
    const views = await transaction('saved_views')
      .where({ organisation_id: organisationId })
      .select<StoredView[]>('id', 'name', 'state');
    const naming = views.filter((view) => pattern.test(textOf(view))).map((view) => view.id);
    const removed = await transaction('saved_views').whereIn('id', naming).delete();
    await recordCounts(transaction, id, { removed: { saved_views: removed } });
  });
}

/** The texts of a view as JSON, in which identifierPattern finds the identifiers. */
function textOf({ name, state }: StoredView): string {
  const values = [...new URLSearchParams(state).values()];
  return JSON.stringify([name, ...values.flatMap(wordsOf)]);
}

/** A filter is `["agent","include","wb-1"]`. */
function wordsOf(value: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? [value, ...parsed.map(String)] : [value];
  } catch {
    return [value];
  }
}

/**
 * Deletes responses of the ingestion service, kept for repeated requests, that name the household: in a rejected row, or
 * in the Idempotency-Key. Such a request is carried out again when it is repeated, which stores nothing twice.
 */
async function removeAnswers(
  { database }: ErasureTools,
  { id, organisationId, pattern }: Redaction,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const removed = await transaction('ingest_requests')
      .where({ organisation_id: organisationId })
      // The second form finds a unit id in a key such as 100123-2026-11-15.
      .whereRaw(
        `concat_ws(' ', idempotency_key, regexp_replace(idempotency_key, '[^A-Za-z0-9]', ' ', 'g'), answer::text) ~* ?`,
        [pattern],
      )
      .delete();
    await recordCounts(transaction, id, { removed: { ingest_requests: removed } });
  });
}
