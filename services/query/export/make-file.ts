import { rowsOf } from '../../shared/clickhouse/query-rows.ts';
import { latestPublicationQuery } from '../access/latest-publication.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { EstimatedTable } from '../execution/explain-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { QueryRunner } from '../execution/query-runner.ts';
import type { ObjectStore } from '../../shared/object-store/object-store.ts';
import { outputFormat } from '../formats/file-format.ts';
import type { ExportLedger } from './export-ledger.ts';
import { fileOf, manifestOf } from './export-record.ts';
import type { ExportTask } from './export-task.ts';
import { fileContent, type FileStats } from './file-content.ts';

export interface MakeFileParts {
  readonly ledger: ExportLedger;
  readonly store: ObjectStore;
  readonly queries: QueryRunner;
}

export interface Work {
  readonly task: ExportTask;
  readonly stats: FileStats;
  readonly signal: AbortSignal;
  readonly abort: (error: Error) => void;
  /** Called before the file becomes visible. Throws if another replica runs the export. */
  readonly confirm: () => Promise<void>;
}

/** Runs the query, writes the file to the store, and then its manifest. */
export async function makeFile(parts: MakeFileParts, work: Work): Promise<void> {
  const { store, queries, ledger } = parts;
  const { task, stats, signal } = work;
  const startedAt = new Date();
  if (task.attempt > 1) await discardFiles(store, task.key);
  const snapshotVersion = await versionOfMetadata(parts, work);
  if (task.isRowPerResult) await ledger.setExpectedRows(task.id, await expectedRows(parts, work));
  // ClickHouse refuses the id of a query that still runs, such as that of a killed process.
  const queryId = task.attempt === 1 ? task.id : `${task.id}.${task.attempt}`;
  const response = queries.runQuery(
    { ...task.query, ...outputFormat(task.format) },
    queryRequest(work, queryId),
  );
  const content = confirmed(fileContent(response, task.format, stats), work.confirm);
  await traced('store', {}, () => store.write(fileOf(task), content, signal));
  signal.throwIfAborted();
  const { rows, bytes, sha256 } = stats;
  const manifest = {
    id: task.id,
    key: task.key,
    kind: task.kind,
    format: task.format,
    request: task.request,
    sql: task.query.printed,
    queryId,
    metadataVersion: task.metadataVersion,
    metadataSnapshotVersion: snapshotVersion,
    rows,
    bytes,
    sha256: sha256?.toString('hex'),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
  await store.write(manifestOf(task), oneText(JSON.stringify(manifest, null, 2)), signal);
}

async function* confirmed(
  content: AsyncIterable<Buffer>,
  confirm: () => Promise<void>,
): AsyncGenerator<Buffer> {
  yield* content;
  await confirm();
}

async function expectedRows(parts: MakeFileParts, work: Work): Promise<number> {
  const { id, attempt, query } = work.task;
  const request = queryRequest(work, `${id}.estimate.${attempt}`);
  const tables = await rowsOf<EstimatedTable>(
    parts.queries.runQuery({ ...query, sql: `EXPLAIN ESTIMATE ${query.sql}` }, request),
  );
  return Math.max(0, ...tables.map(({ rows }) => rows));
}

function queryRequest({ task, signal, abort }: Work, queryId: string): QueryRequest {
  const { organisationId, route, cost } = task;
  return { queryId, organisationId, route, kind: 'export', signal, abort, cost };
}

async function versionOfMetadata({ queries }: MakeFileParts, work: Work): Promise<number> {
  const { id, attempt, organisationId } = work.task;
  const params = { organisation: { type: 'UInt32', value: organisationId } };
  const request = queryRequest(work, `${id}.version.${attempt}`);
  const [row] = await rowsOf<{ version: string }>(
    queries.runQuery({ sql: latestPublicationQuery, params }, request),
  );
  return Number(row?.version ?? 0);
}

async function* oneText(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

/** Deletes the file and the manifest of an export that has ended, and records it. */
export async function sweepExport(
  ledger: ExportLedger,
  store: ObjectStore,
  { id, key }: { readonly id: string; readonly key: string },
): Promise<void> {
  await discardFiles(store, key);
  await ledger.markSwept(id);
}

/** Deletes the file and the manifest of an export, also what an ended process wrote of them. */
async function discardFiles(store: ObjectStore, key: string): Promise<void> {
  await store.discard(key);
  await store.discard(manifestOf({ key }).key);
}
