import { rowsOf } from '../../shared/clickhouse/query-rows.ts';
import { latestPublication } from '../access/latest-publication.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { printInlined } from '../../shared/sql/print-query.ts';
import type { EstimatedTable } from '../execution/explain-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { QueryRunner } from '../execution/query-runner.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { outputFormat } from './export-format.ts';
import type { ExportLedger } from './export-ledger.ts';
import type { ExportJob } from './export-job.ts';
import { fileOf, manifestOf } from './export-record.ts';
import { fileContent, type FileStats } from './file-content.ts';
import { escapeFormulas } from './escape-formulas.ts';
import { variantsAsText } from './variants-as-text.ts';

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
  readonly job: ExportJob;
  readonly stats: FileStats;
  readonly signal: AbortSignal;
  readonly abort: (error: Error) => void;
}

/** Runs the query, writes the file to the store, and then its manifest. */
export async function makeFile(parts: MakeFileParts, work: Work): Promise<void> {
  const { store, queries, ledger } = parts;
  const { id, job, stats, signal } = work;
  const startedAt = new Date();
  const snapshotVersion = await versionOfMetadata(parts, work);
  const query = finalQuery(parts, work);
  if (job.isRowPerResult) await ledger.setExpectedRows(id, await expectedRows(parts, work));
  const response = queries.runQuery(
    { ...query, ...outputFormat(job.format) },
    queryRequest(work, id),
  );
  const file = fileOf({ ...work, ...job });
  await traced('store', {}, () =>
    store.write(file, fileContent(response, job.format, stats), signal),
  );
  signal.throwIfAborted();
  const { rows, bytes, sha256 } = stats;
  const manifest = {
    id,
    key: work.key,
    kind: job.kind,
    format: job.format,
    request: job.request,
    sql: printInlined(query.query),
    queryId: id,
    metadataVersion: job.metadataVersion,
    metadataSnapshotVersion: snapshotVersion,
    rows,
    bytes,
    sha256: sha256?.toString('hex'),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
  await store.write(manifestOf(work), oneText(JSON.stringify(manifest, null, 2)), signal);
}

function finalQuery({ settings }: MakeFileParts, { job }: Work): CompiledQuery {
  // Spreadsheets do not evaluate formulas in Parquet files.
  if (job.format === 'parquet') return variantsAsText(job.query);
  return settings.exportEscapeFormulas ? escapeFormulas(job.query) : job.query;
}

async function expectedRows(parts: MakeFileParts, work: Work): Promise<number> {
  const { query } = work.job;
  const request = queryRequest(work, `${work.id}.estimate`);
  const tables = await rowsOf<EstimatedTable>(
    parts.queries.runQuery({ ...query, sql: `EXPLAIN ESTIMATE ${query.sql}` }, request),
  );
  return Math.max(0, ...tables.map(({ rows }) => rows));
}

function queryRequest({ job, signal, abort }: Work, queryId: string): QueryRequest {
  const { caller, route, cost } = job;
  const { organisationId } = caller;
  return { queryId, organisationId, route, kind: 'export', signal, abort, cost };
}

async function versionOfMetadata({ queries }: MakeFileParts, work: Work): Promise<number> {
  const { organisationId } = work.job.caller;
  const params = { organisationId: { type: 'UInt32', value: organisationId } };
  const request = queryRequest(work, `${work.id}.version`);
  const [row] = await rowsOf<{ version: string }>(
    queries.runQuery({ sql: latestPublication, params }, request),
  );
  return Number(row?.version ?? 0);
}

async function* oneText(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
