import type { Response } from 'express';
import type { MetadataVersions } from '../../registry/versions/metadata-versions.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import { contentKey } from '../cache/content-key.ts';
import { type DataVersions, versionOf } from '../cache/data-versions.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { BucketRange } from '../request/selection.ts';
import { escapeFormulas } from '../formats/escape-formulas.ts';
import { outputFormat } from '../formats/file-format.ts';
import type { ExportKind } from '../export/export-record.ts';
import { flatRows } from '../response/flat-rows.ts';
import { frameRows } from '../response/frame-rows.ts';
import { markPartial } from '../response/mark-partial.ts';
import { mediaTypes, type ResponseFormat } from '../response/response-format.ts';
import { sendStream } from '../response/send-stream.ts';
import type { DataRequest } from './data-kinds.ts';
import { metadataVersionsOf } from './metadata-version.ts';
import type { QueryTools } from './query-tools.ts';

interface DataResponse extends DataRequest {
  readonly kind: ExportKind;
  readonly format: ResponseFormat;
  readonly request: QueryRequest;
}

/**
 * Runs the query and streams its rows: in the envelope, or one row per line without it. Sends 304 instead if the
 * client has the same response already.
 */
export async function sendData(
  tools: QueryTools,
  res: Response,
  { kind, format, compiled, request, warnings, ifEmpty, storable, whole }: DataResponse,
): Promise<void> {
  const { runner, answers, config } = tools;
  const { cost } = request;
  // Starts reading now; awaited only when the tag is needed.
  const versions = tools.resultVersions(compiled.reads, request);
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
    ...(cost.rows === 0 ? await ifEmpty(request) : []),
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
    const framed = frameRows(kind, marked('object'), compiled, cost, allWarnings);
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
export const revalidated = { 'Cache-Control': 'private, no-cache' };

/** All that determines the bytes of a response, except its compression. */
interface TaggedResponse {
  readonly compiled: Pick<CompiledQuery, 'sql' | 'params' | 'series' | 'knownAt'>;
  readonly format: string;
  readonly data: DataVersions;
  readonly metadata: MetadataVersions;
  readonly warnings: readonly Warning[];
  /** The buckets that are not marked as partial. They change with the clock. */
  readonly whole?: readonly BucketRange[];
}

/** The opaque part of a strong entity tag: the same for two responses only if their bytes are the same. */
function entityTag(response: TaggedResponse): string {
  const { compiled, format, data, metadata, warnings, whole } = response;
  const { sql, params, series, knownAt } = compiled;
  return contentKey([
    ...[format, sql, params, series, knownAt, warnings],
    ...[String(versionOf(data)), metadata.published, metadata.current, whole],
  ]);
}

/** As a header. A compressed response has other bytes, so its tag is another one. */
function tagHeader(tag: string, encoding: string | undefined): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/** The entry of `If-None-Match` that is the tag, with any compression; undefined if none is. */
export function matchingTag(ifNoneMatch: string, tag: string): string | undefined {
  const listed = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (listed.includes('*')) return tagHeader(tag, undefined);
  return listed.find((one) => one.replace(/^"(.+?)(-gzip|-br)?"$/, '$1') === tag);
}

/** The same bytes as the file of an export. */
function csvQuery(
  compiled: CompiledQuery,
  { exportEscapeFormulas }: { readonly exportEscapeFormulas: boolean },
) {
  const { sql, params } = exportEscapeFormulas ? escapeFormulas(compiled) : compiled;
  return { ...compiled, sql, params, ...outputFormat('csv') };
}

/** Many proxies refuse a response with more than 8 KB of headers. */
const maxBytes = 4_096;

const incomplete: Warning = {
  code: 'MORE_WARNINGS',
  message: 'Not all warnings fit into this header. Request application/json to read all.',
};

/** Sends warnings as a JSON array in `Netpanel-Warnings`, for formats without an envelope. */
function setWarnings(res: Response, warnings: readonly Warning[]): void {
  if (warnings.length > 0) res.set('Netpanel-Warnings', warningsHeader(warnings));
}

/** At most 4 KB of printable ASCII. */
function warningsHeader(warnings: readonly Warning[]): string {
  const whole = asciiJson(warnings);
  if (whole.length <= maxBytes) return whole;
  const texts = warnings.map(asciiJson);
  const last = asciiJson(incomplete);
  while (`[${[...texts, last].join(',')}]`.length > maxBytes) texts.pop();
  return `[${[...texts, last].join(',')}]`;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
