import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { reloadDictionary, syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import { dictionaryQueries } from './dictionary-queries.ts';
import {
  clickHouseContent,
  type Publication,
  snapshotColumns,
  type SnapshotContent,
} from './snapshot-content.ts';

/** The tables that the dictionary reads. */
export const dictionarySources = [
  'agent_metadata_period',
  'agent_metadata_publication',
  'agent_metadata_snapshot',
  'agent_metadata_version',
];

interface LoadedContents {
  /** The content on each node. */
  readonly contentsOf: (publication: Publication) => readonly SnapshotContent[];
}

const noContent: SnapshotContent = { rowCount: 0, contentHash: 0n };

/** The publications in ClickHouse: their rows, those that are complete, and the dictionary. */
export class SnapshotTable {
  /** Timeout per statement. */
  timeoutMs = 600_000;
  readonly #client: ClickHouseClient;
  readonly #stopSignal: AbortSignal;
  readonly #cluster: string;

  constructor(client: ClickHouseClient, stopSignal: AbortSignal, cluster: string) {
    this.#client = client;
    this.#stopSignal = stopSignal;
    this.#cluster = cluster;
  }

  /** Whether running statements were aborted for a shutdown. */
  get isStopped(): boolean {
    return this.#stopSignal.aborted;
  }

  /** The publication in use of each organisation. */
  async publications(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#all<{ organisation_id: number; number: string }>(
      `SELECT organisation_id, toString(max(publication)) AS number
       FROM agent_metadata_publication GROUP BY organisation_id`,
    );
    return new Map(rows.map((row) => [row.organisation_id, Number(row.number)]));
  }

  /** The publication in use of an organisation; 0 if there is none. */
  async publicationOf(organisationId: number): Promise<number> {
    const { number } = await this.#one<{ number: string }>(
      `SELECT toString(max(publication)) AS number FROM agent_metadata_publication
       WHERE organisation_id = ${organisationId}`,
    );
    return Number(number);
  }

  /** The highest number of any publication, and of the snapshots of 0.1.0; 0 if there is none. */
  async latestNumber(): Promise<number> {
    const { number } = await this.#one<{ number: string }>(
      `SELECT toString(greatest(max(publication), (SELECT max(version) FROM agent_metadata_version))) AS number
       FROM agent_metadata_publication`,
    );
    return Number(number);
  }

  /** Streams the rows in one insert. */
  async insert(lines: AsyncIterable<string>): Promise<void> {
    await this.#withTimeout(async (abort_signal) => {
      const { stream } = await this.#client.exec({
        query: `INSERT INTO agent_metadata_period (publication, ${snapshotColumns.join(', ')}) FORMAT JSONCompactEachRow`,
        values: Readable.from(lines, { objectMode: false }),
        abort_signal,
        clickhouse_settings: { async_insert: 0 },
      });
      stream.resume();
    });
  }

  async contentOf({ organisationId, number }: Publication): Promise<SnapshotContent> {
    // The insert may have gone to another node.
    for (const query of syncReplicas(['agent_metadata_period'], this.#cluster)) {
      await this.#command(query);
    }
    return toContent(
      await this.#one<ContentRow>(
        `SELECT ${clickHouseContent} FROM agent_metadata_period
         WHERE organisation_id = ${organisationId} AND publication = ${number}`,
      ),
    );
  }

  /** Marks a publication as complete. The dictionary reads the highest complete one. */
  async complete({ organisationId, number, content }: Publication): Promise<void> {
    const row = {
      organisation_id: organisationId,
      publication: number,
      row_count: content.rowCount,
      content_hash: content.contentHash.toString(),
    };
    await this.#withTimeout((abort_signal) =>
      this.#client.insert({
        table: 'agent_metadata_publication',
        values: [row],
        columns: ['organisation_id', 'publication', 'row_count', 'content_hash'],
        format: 'JSONEachRow',
        abort_signal,
        clickhouse_settings: { async_insert: 0 },
      }),
    );
  }

  async reloadDictionary(): Promise<void> {
    for (const query of reloadDictionary('agent_metadata', dictionarySources, this.#cluster)) {
      await this.#command(query);
    }
  }

  /**
   * The dictionary's rows of some organisations on each node: after a failed reload its status is LOADED
   * with the old rows.
   */
  async dictionaryContents(publications: readonly Publication[]): Promise<LoadedContents> {
    const organisationIds = publications.map(({ organisationId }) => organisationId);
    const queries = dictionaryQueries(this.#cluster, organisationIds);
    const failed = await this.#all<{ failure: string }>(queries.failures);
    const [first] = failed;
    if (first !== undefined) throw new Error(`the dictionary failed to load: ${first.failure}`);
    const loaded = await this.#all<ContentRow & { organisation_id: number }>(queries.contents);
    const { count } = await this.#one<{ count: string }>(queries.nodeCount);
    return {
      contentsOf: ({ organisationId }) => {
        const found = loaded.filter((row) => row.organisation_id === organisationId).map(toContent);
        // A node without rows of the organisation is not in the response.
        const missing = Math.max(0, Number(count) - found.length);
        return [...found, ...Array<SnapshotContent>(missing).fill(noContent)];
      },
    };
  }

  /** Drops all other publications of an organisation, complete or not. */
  async dropOtherPublications(organisationId: number, kept: number): Promise<void> {
    const partitions = await this.#all<{ partition: string }>(
      `SELECT DISTINCT partition FROM system.parts
       WHERE database = currentDatabase() AND table = 'agent_metadata_period' AND active
         AND startsWith(partition, '(${organisationId},') AND partition != '(${organisationId},${kept})'`,
    );
    for (const { partition } of partitions) {
      await this.#command(`ALTER TABLE agent_metadata_period DROP PARTITION ${partition}`);
    }
  }

  /** Drops the snapshots of 0.1.0 when every organisation in them has a publication. */
  async dropReplacedSnapshot(): Promise<void> {
    const partitions = await this.#all<{ partition: string }>(
      `SELECT DISTINCT partition FROM system.parts
       WHERE database = currentDatabase() AND table = 'agent_metadata_snapshot' AND active`,
    );
    if (partitions.length === 0) return;
    const { count } = await this.#one<{ count: string }>(
      `SELECT toString(count()) AS count FROM agent_metadata_snapshot
       WHERE organisation_id NOT IN (SELECT organisation_id FROM agent_metadata_publication)`,
    );
    if (count !== '0') return;
    for (const { partition } of partitions) {
      await this.#command(`ALTER TABLE agent_metadata_snapshot DROP PARTITION ${partition}`);
    }
  }

  async #one<T>(query: string): Promise<T> {
    const [row] = await this.#all<T>(query);
    if (row === undefined) throw new Error(`ClickHouse returned no row for: ${query}`);
    return row;
  }

  async #all<T>(query: string): Promise<T[]> {
    return this.#withTimeout((abort_signal) => queryRows(this.#client, query, { abort_signal }));
  }

  async #command(query: string): Promise<void> {
    await this.#withTimeout((abort_signal) => this.#client.command({ query, abort_signal }));
  }

  // The ClickHouse client ignores the signal after the response headers.
  #withTimeout<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([this.#stopSignal, AbortSignal.timeout(this.timeoutMs)]);
    const timedOut = new Promise<never>((_resolve, reject) => {
      const onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
    });
    return Promise.race([work(signal), timedOut]);
  }
}

interface ContentRow {
  readonly row_count: string;
  readonly content_hash: string;
}

function toContent({ row_count, content_hash }: ContentRow): SnapshotContent {
  return { rowCount: Number(row_count), contentHash: BigInt(content_hash) };
}
