import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { DataReads } from '../compiler/compiled-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import { type DataVersions, readDataVersions, versionOf } from './data-versions.ts';

export type ResultVersionReader = ReturnType<typeof resultVersionReader>;

/** The versions of the results that a response is computed from. */
export interface ResultVersions {
  /** As they are now. Undefined on a cluster, and if ClickHouse does not answer. Never rejects. */
  readonly current: Promise<DataVersions | undefined>;
  /** A query over the results starts after this. */
  readonly beforeQuery: () => Promise<void>;
  /** Undefined if they are not known: results changed shortly before the query or while it ran. */
  readonly ofResponse: () => Promise<DataVersions | undefined>;
}

interface Parts {
  readonly clickhouse: ClickHouseClient;
  /** The name of the cluster; empty for a single server. */
  readonly cluster: string;
  readonly logger: Logger;
}

/**
 * Reads the versions of results. A response has the versions that were read before its query, never later ones. If an
 * earlier request read versions of the same results, a query does not wait: if the versions have not changed since,
 * they are those of the response.
 */
export function resultVersionReader({ clickhouse, cluster, logger }: Parts) {
  const lastRead = new LRUCache<string, bigint>({ max: 10_000 });
  return (reads: DataReads, request: QueryRequest): ResultVersions => {
    const key = [request.organisationId, reads.test, reads.fromDay, reads.toDay].join(' ');
    const earlier = lastRead.get(key);
    let isRead = false;
    let isEarly = false;
    const current = readCurrent(reads, request).then((versions) => {
      isRead = true;
      if (versions !== undefined) lastRead.set(key, versionOf(versions));
      return versions;
    });
    return {
      current,
      beforeQuery: async () => {
        isEarly = earlier !== undefined && !isRead;
        if (!isEarly) await current;
      },
      ofResponse: async () => {
        const versions = await current;
        if (versions === undefined || !isEarly) return versions;
        return versionOf(versions) === earlier ? versions : undefined;
      },
    };
  };

  async function readCurrent(
    reads: DataReads,
    { organisationId, signal }: QueryRequest,
  ): Promise<DataVersions | undefined> {
    // A replica may have the version of a change before it has the change.
    if (cluster !== '') return undefined;
    try {
      return await readDataVersions(clickhouse, organisationId, reads, signal);
    } catch (error) {
      // The query will report that ClickHouse does not answer.
      if (!signal.aborted) logger.warn('could not read data versions', { error: String(error) });
      return undefined;
    }
  }
}
