import type { Response } from 'express';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { DataVersions } from '../cache/data-versions.ts';
import type { StorableAnswer } from '../cache/keyed-pieces.ts';
import { entityTag, matchingTag, tagHeader } from '../cache/entity-tag.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { BucketRange } from '../request/metric-query.ts';
import { escapeFormulas } from '../export/escape-formulas.ts';
import { outputFormat } from '../export/export-format.ts';
import { flatRows } from '../response/flat-rows.ts';
import type { FramedWarnings, RowCount, WarningList } from '../response/frame-rows.ts';
import { markPartial } from '../response/mark-partial.ts';
import { mediaTypes, type ResponseFormat } from '../response/response-format.ts';
import { sendStream } from '../response/send-stream.ts';
import { setWarnings } from '../response/set-warnings.ts';
import { metadataVersionsOf } from './metadata-version.ts';
import type { QueryTools } from './query-tools.ts';

interface DataResponse {
  readonly format: ResponseFormat;
  readonly compiled: CompiledQuery;
  readonly request: QueryRequest;
  readonly warnings: WarningList;
  /** Further warnings of an answer without rows. Must not reject. */
  readonly ifEmpty: () => Promise<readonly Warning[]>;
  /** Absent if the answer is not stored. */
  readonly storable?: Pick<StorableAnswer, 'query' | 'options' | 'now'>;
  /** Points of other buckets are marked; in CSV the query does that. Absent: no point is. */
  readonly whole?: readonly BucketRange[];
  /** The rows as a JSON document. */
  readonly frame: (
    rows: AsyncIterable<Buffer>,
    compiled: CompiledQuery,
    count: RowCount,
    warnings: FramedWarnings,
  ) => AsyncGenerator<Buffer>;
}

/**
 * Runs the query and streams its rows: in the envelope, or one row per line without it. Sends 304 instead if the
 * client has the same response already.
 */
export async function sendData(
  tools: QueryTools,
  res: Response,
  { format, compiled, request, warnings, ifEmpty, storable, whole, frame }: DataResponse,
): Promise<void> {
  const { runner, answers, config } = tools;
  const { cost } = request;
  // Read beside what else comes before the query.
  const versions = tools.resultVersions.read(compiled.reads, request);
  const tag = async (dataVersions: Promise<DataVersions | undefined>) => {
    const [data, allWarnings] = await Promise.all([dataVersions, warnings]);
    if (data === undefined) return undefined;
    return entityTag({
      compiled,
      format,
      data,
      metadata: metadataVersionsOf(res),
      warnings: allWarnings,
      ...(whole && { whole }),
    });
  };
  const ifNoneMatch = res.req.get('if-none-match');
  if (ifNoneMatch !== undefined) {
    const current = await tag(versions.current);
    const ETag = current && matchingTag(ifNoneMatch, current);
    if (ETag !== undefined) {
      res
        .set({ ...revalidated, ETag })
        .status(304)
        .end();
      return;
    }
  }
  // Called after the last row.
  const allWarnings = async () => [
    ...(await warnings),
    ...(cost.rows === 0 ? await ifEmpty() : []),
  ];
  const headers = async (encoding: string | undefined) => {
    if (format !== 'json') setWarnings(res, cost.rows === 0 ? await allWarnings() : await warnings);
    // Where results are changes without a change of the range, so an empty answer has no tag.
    if (cost.rows === 0) return {};
    const current = await tag(versions.ofResponse());
    return current === undefined ? {} : { ...revalidated, ETag: tagHeader(current, encoding) };
  };
  const type = mediaTypes[format];
  const answered = () => {
    const isBypassed = /\bno-(cache|store)\b/i.test(res.req.get('cache-control') ?? '');
    if (storable === undefined || answers === undefined || isBypassed)
      return runner.runQuery(compiled, request, versions.beforeQuery());
    const metadataVersion = metadataVersionsOf(res).published;
    return answers.rows({ ...storable, compiled, versions, metadataVersion }, request, (state) =>
      res.set('X-Netpanel-Cache', state),
    );
  };
  const marked = (as: 'object' | 'row') =>
    whole === undefined ? answered() : markPartial(answered(), whole, as);
  if (format === 'json') {
    const framed = frame(marked('object'), compiled, cost, allWarnings);
    await sendStream(res, type, framed, { request, headers });
    return;
  }
  const rows =
    format === 'csv'
      ? runner.runQuery(csvQuery(compiled, config), request, versions.beforeQuery())
      : marked('row');
  await sendStream(res, type, flatRows(rows, format, cost), { request, headers });
}

/** A client may store a response with an entity tag, and must ask whether it is still current. */
const revalidated = { 'Cache-Control': 'private, no-cache' };

/** The same bytes as the file of an export. */
function csvQuery(
  compiled: CompiledQuery,
  { exportEscapeFormulas }: { readonly exportEscapeFormulas: boolean },
) {
  const { sql, params } = exportEscapeFormulas ? escapeFormulas(compiled) : compiled;
  return { sql, params, ...outputFormat('csv') };
}
