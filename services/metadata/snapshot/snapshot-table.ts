import { Readable } from 'node:stream';
import { reloadDictionary, syncReplicas } from '../../shared/clickhouse/reload-dictionary.ts';
import {
  dictionaryQueries,
  type PublicationTables,
  reloadCustomValues,
} from './publication-tables.ts';
import {
  clickHouseContent,
  type Publication,
  snapshotColumns,
  type SnapshotContent,
} from './snapshot-content.ts';
import type { SnapshotStatements } from './snapshot-statements.ts';

interface LoadedContents {
  /** The content on each node. */
  readonly contentsOf: (of: Pick<Publication, 'organisationId'>) => readonly SnapshotContent[];
}

/** The publication in use of an organisation. */
interface PublicationInUse {
  readonly number: number;
  readonly rowCount: number;
}

export const noContent: SnapshotContent = { rowCount: 0, contentHash: 0n };

/** Publications of one kind in ClickHouse: their rows, those that are complete, and the dictionary. */
export class SnapshotTable {
  readonly tables: PublicationTables;
  readonly #statements: SnapshotStatements;

  constructor(statements: SnapshotStatements, tables: PublicationTables) {
    this.#statements = statements;
    this.tables = tables;
  }

  async publicationOf(organisationId: number): Promise<PublicationInUse> {
    const found = await this.publications([organisationId]);
    return found.get(organisationId) ?? { number: 0, rowCount: 0 };
  }

  /** The publication in use of each of these organisations that has one; default: of every one. */
  async publications(
    organisationIds?: readonly number[],
  ): Promise<ReadonlyMap<number, PublicationInUse>> {
    const condition =
      organisationIds === undefined ? 'true' : `organisation_id IN (${organisationIds.join(', ')})`;
    const rows = await this.#statements.all<{
      organisation_id: number;
      number: string;
      row_count: string;
    }>(
      `SELECT organisation_id, toString(max(publication)) AS number,
              toString(argMax(row_count, publication)) AS row_count
       FROM ${this.tables.publications} WHERE ${condition} GROUP BY organisation_id`,
    );
    return new Map(
      rows.map((row) => [
        row.organisation_id,
        { number: Number(row.number), rowCount: Number(row.row_count) },
      ]),
    );
  }

  /** The agents of the publication in use. */
  async agentKeysOf(organisationId: number): Promise<readonly number[]> {
    const { number } = await this.publicationOf(organisationId);
    const rows = await this.#statements.all<{ key: number }>(
      `SELECT DISTINCT toFloat64(agent_key) AS key FROM ${this.tables.rows}
       WHERE organisation_id = ${organisationId} AND publication = ${number}`,
    );
    return rows.map(({ key }) => key);
  }

  /** Streams the rows in one insert. */
  async insert(lines: AsyncIterable<string>): Promise<void> {
    await this.#statements.withTimeout(async (abort_signal) => {
      const { stream } = await this.#statements.client.exec({
        query: `INSERT INTO ${this.tables.rows} (publication, ${snapshotColumns.join(', ')}) FORMAT JSONCompactEachRow`,
        values: Readable.from(lines, { objectMode: false }),
        abort_signal,
      });
      stream.resume();
    });
  }

  async contentOf({
    organisationId,
    number,
  }: Pick<Publication, 'organisationId' | 'number'>): Promise<SnapshotContent> {
    // The insert may have gone to another node.
    for (const query of syncReplicas([this.tables.rows], this.#statements.cluster)) {
      await this.#statements.command(query);
    }
    return toContent(
      await this.#statements.one<ContentRow>(
        `SELECT ${clickHouseContent} FROM ${this.tables.rows}
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
    await this.#statements.insert(this.tables.publications, [row]);
  }

  async reloadDictionary(): Promise<void> {
    const { dictionary, sources } = this.tables;
    const { cluster } = this.#statements;
    for (const query of [
      ...reloadCustomValues(cluster),
      ...reloadDictionary(dictionary, sources, cluster),
    ]) {
      await this.#statements.command(query);
    }
  }

  /**
   * The dictionary's rows of some organisations on each node: after a failed reload its status is LOADED
   * with the old rows.
   */
  async dictionaryContents(
    publications: readonly Pick<Publication, 'organisationId'>[],
  ): Promise<LoadedContents> {
    const statements = this.#statements;
    const organisationIds = publications.map(({ organisationId }) => organisationId);
    const queries = dictionaryQueries(this.tables.dictionary, statements.cluster, organisationIds);
    const failed = await statements.all<{ failure: string }>(queries.failures);
    const [first] = failed;
    if (first !== undefined) throw new Error(`the dictionary failed to load: ${first.failure}`);
    const loaded = await statements.all<ContentRow & { organisation_id: number }>(queries.contents);
    const { count } = await statements.one<{ count: string }>(queries.nodeCount);
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
    const partitions = await this.#statements.all<{ partition: string }>(
      `SELECT DISTINCT partition FROM system.parts
       WHERE database = currentDatabase() AND table = '${this.tables.rows}' AND active
         AND startsWith(partition, '(${organisationId},') AND partition != '(${organisationId},${kept})'`,
    );
    for (const { partition } of partitions) {
      await this.#statements.command(`ALTER TABLE ${this.tables.rows} DROP PARTITION ${partition}`);
    }
  }
}

export interface ContentRow {
  readonly row_count: string;
  readonly content_hash: string;
}

export function toContent({ row_count, content_hash }: ContentRow): SnapshotContent {
  return { rowCount: Number(row_count), contentHash: BigInt(content_hash) };
}
