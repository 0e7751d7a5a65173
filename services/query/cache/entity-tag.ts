import { createHash } from 'node:crypto';
import type { MetadataVersions } from '../../registry/metadata-versions.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { BucketRange } from '../request/metric-query.ts';
import { type DataVersions, versionOf } from './data-versions.ts';

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
export function entityTag(response: TaggedResponse): string {
  const { compiled, format, data, metadata, warnings, whole } = response;
  const { sql, params, series, knownAt } = compiled;
  const content = [
    ...[format, sql, params, series, knownAt, warnings],
    ...[String(versionOf(data)), metadata.published, metadata.current, whole],
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 32);
}

/** As a header. A compressed response has other bytes, so its tag is another one. */
export function tagHeader(tag: string, encoding: string | undefined): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/** The entry of `If-None-Match` that is the tag, with any compression; undefined if none is. */
export function matchingTag(ifNoneMatch: string, tag: string): string | undefined {
  const listed = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (listed.includes('*')) return tagHeader(tag, undefined);
  return listed.find((one) => one.replace(/^"(.+?)(-gzip|-br)?"$/, '$1') === tag);
}
