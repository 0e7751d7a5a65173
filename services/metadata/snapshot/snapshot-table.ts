import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { clickHouseContent, snapshotColumns, type SnapshotContent } from './snapshot-content.ts';

/** What ClickHouse holds of the snapshots: the versions' rows, which are complete, and the dictionary. */
export class SnapshotTable {
  readonly #client: ClickHouseClient;
  readonly #signal: AbortSignal;

  constructor(client: ClickHouseClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** 0 when there is none. */
  async newestVersion(): Promise<number> {
    const { version } = await this.#one<{ version: string }>(
      'SELECT toString(max(version)) AS version FROM agent_metadata_version',
    );
    return Number(version);
  }

  /** One streamed insert; the rows arrive as the source gives them. */
  async insert(lines: AsyncIterable<string>): Promise<void> {
    const { stream } = await this.#client.exec({
      query: `INSERT INTO agent_metadata_snapshot (version, ${snapshotColumns.join(', ')}) FORMAT JSONCompactEachRow`,
      values: Readable.from(lines, { objectMode: false }),
      abort_signal: this.#signal,
      clickhouse_settings: { async_insert: 0 },
    });
    stream.resume();
  }

  contentOf(version: number): Promise<SnapshotContent> {
    return this.#content(`agent_metadata_snapshot WHERE version = ${version}`);
  }

  /** From here on the version is the one that the dictionary reads. */
  async complete(version: number, { rowCount, contentHash }: SnapshotContent): Promise<void> {
    await this.#client.insert({
      table: 'agent_metadata_version',
      values: [{ version, row_count: rowCount, content_hash: contentHash.toString() }],
      columns: ['version', 'row_count', 'content_hash'],
      format: 'JSONEachRow',
      abort_signal: this.#signal,
    });
  }

  async reloadDictionary(): Promise<void> {
    await this.#command('SYSTEM RELOAD DICTIONARY agent_metadata');
  }

  /** The dictionary's own rows: after a failed reload it says LOADED and serves the old ones. */
  async dictionaryContent(): Promise<SnapshotContent> {
    const { failure } = await this.#one<{ failure: string }>(
      `SELECT last_exception AS failure FROM system.dictionaries
       WHERE database = currentDatabase() AND name = 'agent_metadata'`,
    );
    if (failure !== '') throw new Error(`the dictionary could not be loaded: ${failure}`);
    return this.#content("dictionary(concat(currentDatabase(), '.agent_metadata'))");
  }

  /** Drops every version but one, those that never became complete among them. */
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
    const row = await this.#one<{ row_count: string; content_hash: string }>(
      `SELECT ${clickHouseContent} FROM ${source}`,
    );
    return { rowCount: Number(row.row_count), contentHash: BigInt(row.content_hash) };
  }

  async #one<T>(query: string): Promise<T> {
    const [row] = await this.#all<T>(query);
    if (row === undefined) throw new Error(`ClickHouse returned no row for: ${query}`);
    return row;
  }

  async #all<T>(query: string): Promise<T[]> {
    const result = await this.#client.query({
      query,
      format: 'JSONEachRow',
      abort_signal: this.#signal,
    });
    return result.json<T>();
  }

  async #command(query: string): Promise<void> {
    await this.#client.command({ query, abort_signal: this.#signal });
  }
}
