import { traced } from '../../shared/tracing/traced.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { printInlined } from '../../shared/sql/print-query.ts';
import { type EstimatedTable, rowsOf } from '../execution/explain-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { QueryRunner } from '../execution/query-runner.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { outputFormat } from './export-format.ts';
import type { ExportLedger } from './export-ledger.ts';
import type { ExportOrder } from './export-order.ts';
import { fileOf, manifestOf } from './export-record.ts';
import { fileContent, type FileFigures } from './file-content.ts';
import { escapeFormulas } from './escape-formulas.ts';

export interface MakeFileParts {
  readonly ledger: ExportLedger;
  readonly store: ObjectStore;
  readonly queries: QueryRunner;
  readonly settings: MakeFileSettings;
}

export interface MakeFileSettings {
  readonly exportEscapeFormulas: boolean;
}

interface Work {
  readonly id: string;
  readonly key: string;
  readonly order: ExportOrder;
  readonly figures: FileFigures;
  readonly signal: AbortSignal;
}

/** Query, exception guard, counters, store; and the manifest when all of it went well. */
export async function makeFile(parts: MakeFileParts, work: Work): Promise<void> {
  const { store, queries, ledger } = parts;
  const { id, order, figures, signal } = work;
  const startedAt = new Date();
  const snapshotVersion = await metadataVersion(parts, work);
  const query = finalQuery(parts, work);
  if (order.isRowByRow) await ledger.expect(id, await expectedRows(parts, work));
  const { sql, params } = query;
  const answer = queries.runQuery(
    { sql, params, ...outputFormat(order.format) },
    queryRequest(work, id),
  );
  const file = fileOf({ ...work, ...order });
  await traced('store', {}, () =>
    store.write(file, fileContent(answer, order.format, figures), signal),
  );
  signal.throwIfAborted();
  const { rows, bytes, sha256 } = figures;
  const manifest = {
    id,
    key: work.key,
    kind: order.kind,
    format: order.format,
    request: order.request,
    sql: printInlined(query.query),
    queryId: id,
    metadataSnapshotVersion: snapshotVersion,
    rows,
    bytes,
    sha256: sha256?.toString('hex'),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
  await store.write(manifestOf(work), oneText(JSON.stringify(manifest, null, 2)), signal);
  order.cost.rows = rows;
  order.cost.bytesReturned = bytes;
}

// A binary file has no formulas: nothing to guard there.
function finalQuery({ settings }: MakeFileParts, { order }: Work): CompiledQuery {
  const escapes = settings.exportEscapeFormulas && order.format !== 'parquet';
  return escapes ? escapeFormulas(order.query) : order.query;
}

async function expectedRows(parts: MakeFileParts, work: Work): Promise<number> {
  const { sql, params } = work.order.query;
  const request = queryRequest(work, `${work.id}.estimate`);
  const tables = await rowsOf<EstimatedTable>(
    parts.queries.runQuery({ sql: `EXPLAIN ESTIMATE ${sql}`, params }, request),
  );
  return Math.max(0, ...tables.map(({ rows }) => rows));
}

function queryRequest({ order, signal }: Work, queryId: string): QueryRequest {
  const { organisationId } = order.caller;
  return { queryId, organisationId, route: order.route, kind: 'export', signal, cost: order.cost };
}

async function metadataVersion({ queries }: MakeFileParts, work: Work): Promise<number> {
  const sql = 'SELECT max(version) AS version FROM agent_metadata_version';
  const request = queryRequest(work, `${work.id}.version`);
  const [row] = await rowsOf<{ version: number }>(queries.runQuery({ sql, params: {} }, request));
  return row?.version ?? 0;
}

async function* oneText(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
