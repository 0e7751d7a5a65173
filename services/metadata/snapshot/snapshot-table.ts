import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { reloadDictionary, syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import { dictionaryQueries } from './dictionary-queries.ts';
import { clickHouseContent, snapshotColumns, type SnapshotContent } from './snapshot-content.ts';

/** The snapshots in ClickHouse: the rows of each version, the complete versions, the dictionary. */
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

  /** 0 if there is none. */
  async latestVersion(): Promise<number> {
    const { version } = await this.#one<{ version: string }>(
      'SELECT toString(max(version)) AS version FROM agent_metadata_version',
    );
    return Number(version);
  }

  /** Streams the rows in one insert. */
  async insert(lines: AsyncIterable<string>): Promise<void> {
    await this.#withTimeout(async (abort_signal) => {
      const { stream } = await this.#client.exec({
        query: `INSERT INTO agent_metadata_snapshot (version, ${snapshotColumns.join(', ')}) FORMAT JSONCompactEachRow`,
        values: Readable.from(lines, { objectMode: false }),
        abort_signal,
        clickhouse_settings: { async_insert: 0 },
      });
      stream.resume();
    });
  }

  async contentOf(version: number): Promise<SnapshotContent> {
    // The insert may have gone to another node.
    for (const query of syncReplicas(['agent_metadata_snapshot'], this.#cluster)) {
      await this.#command(query);
    }
    return this.#content(`agent_metadata_snapshot WHERE version = ${version}`);
  }

  /** Marks a version as complete. The dictionary reads the latest complete version. */
  async complete(version: number, { rowCount, contentHash }: SnapshotContent): Promise<void> {
    await this.#withTimeout((abort_signal) =>
      this.#client.insert({
        table: 'agent_metadata_version',
        values: [{ version, row_count: rowCount, content_hash: contentHash.toString() }],
        columns: ['version', 'row_count', 'content_hash'],
        format: 'JSONEachRow',
        abort_signal,
      }),
    );
  }

  async reloadDictionary(): Promise<void> {
    const sources = ['agent_metadata_snapshot', 'agent_metadata_version'];
    for (const query of reloadDictionary('agent_metadata', sources, this.#cluster)) {
      await this.#command(query);
    }
  }

  /** The dictionary's rows on each node: after a failed reload its status is LOADED with the old rows. */
  async dictionaryContents(): Promise<readonly SnapshotContent[]> {
    const queries = dictionaryQueries(this.#cluster);
    const failed = await this.#all<{ failure: string }>(queries.failures);
    const [first] = failed;
    if (first !== undefined) throw new Error(`the dictionary failed to load: ${first.failure}`);
    const nodes = await this.#all<ContentRow>(queries.contents);
    const { count } = await this.#one<{ count: string }>(queries.nodeCount);
    if (nodes.length !== Number(count)) {
      throw new Error(`only ${nodes.length} of ${count} nodes have the dictionary`);
    }
    return nodes.map(toContent);
  }

  /** Drops all other versions, complete or not. */
  async dropOtherVersions(kept: number): Promise<void> {
    const versions = await this.#all<{ version: string }>(
      `SELECT DISTINCT partition AS version FROM system.parts
       WHERE database = currentDatabase() AND table = 'agent_metadata_snapshot' AND active
         AND partition != '${kept}'`,
    );
    for (const { version } of versions) {
      await this.#command(`ALTER TABLE agent_metadata_snapshot DROP PARTITION ${Number(version)}`);
    }
  }

  async #content(source: string): Promise<SnapshotContent> {
    return toContent(await this.#one<ContentRow>(`SELECT ${clickHouseContent} FROM ${source}`));
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
