import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';

/** The rows of a piece, and the versions of what they were computed from. */
export interface StoredPiece {
  readonly key: string;
  readonly dataVersion: bigint;
  readonly metadataVersion: number;
  /** Lines of JSON, each with its line end. */
  readonly rowsText: string;
}

/** Inserts that have not ended. More are not started: storing must not slow down queries. */
const maxRunningInserts = 4;
/** How long the size of the table is trusted. */
const sizeCheckMs = 60_000;

/** The table stored_answers, which all replicas of the service share. */
export class StoredAnswers {
  readonly #clickhouse: ClickHouseClient;
  readonly #maxBytes: number;
  readonly #logger: Logger;
  readonly #inserts = new Set<Promise<void>>();
  #hasSpace: Promise<boolean> = Promise.resolve(false);
  #checkedAtMs = -Infinity;

  constructor(clickhouse: ClickHouseClient, maxBytes: number, logger: Logger) {
    this.#clickhouse = clickhouse;
    this.#maxBytes = maxBytes;
    this.#logger = logger;
  }

  /** What is stored for these keys, with any version. */
  async find(
    organisationId: number,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly StoredPiece[]> {
    const rows = await organisationRows<StoredRow>(this.#clickhouse, organisationId, storedQuery, {
      params: { keys: [...keys] },
      signal,
    });
    return rows.map(({ dataVersion, metadataVersion, ...row }) => ({
      ...row,
      dataVersion: BigInt(dataVersion),
      metadataVersion: Number(metadataVersion),
    }));
  }

  /** Stores pieces in the background, if there is space. Failures are only logged, because the client has its answer. */
  store(organisationId: number, pieces: readonly StoredPiece[]): void {
    if (pieces.length === 0 || this.#inserts.size >= maxRunningInserts) return;
    const insert = this.#insert(organisationId, pieces)
      .catch((error: unknown) => {
        this.#logger.warn('could not store an answer', { error: String(error) });
      })
      .finally(() => this.#inserts.delete(insert));
    this.#inserts.add(insert);
  }

  /** Waits for inserts in the background. */
  async close(): Promise<void> {
    await Promise.all(this.#inserts);
  }

  async #insert(organisationId: number, pieces: readonly StoredPiece[]): Promise<void> {
    if (!(await this.#checkSpace())) return;
    await this.#clickhouse.insert({
      table: 'stored_answers',
      values: pieces.map(({ key, dataVersion, metadataVersion, rowsText }) => ({
        organisation_id: organisationId,
        key,
        data_version: String(dataVersion),
        metadata_version: String(metadataVersion),
        rows_text: rowsText,
      })),
      columns: ['organisation_id', 'key', 'data_version', 'metadata_version', 'rows_text'],
      format: 'JSONEachRow',
      clickhouse_settings: organisationSettings(organisationId),
    });
  }

  #checkSpace(): Promise<boolean> {
    if (performance.now() - this.#checkedAtMs > sizeCheckMs) {
      this.#checkedAtMs = performance.now();
      this.#hasSpace = this.#storedBytes().then((bytes) => bytes < this.#maxBytes);
    }
    return this.#hasSpace;
  }

  async #storedBytes(): Promise<number> {
    const [table] = await queryRows<{ bytes: string }>(
      this.#clickhouse,
      `SELECT toString(total_bytes) AS bytes FROM system.tables
WHERE database = currentDatabase() AND name = 'stored_answers'`,
    );
    return Number(table?.bytes ?? 0);
  }
}

const storedQuery = `SELECT key, toString(data_version) AS dataVersion,
    toString(metadata_version) AS metadataVersion, rows_text AS rowsText
FROM stored_answers
WHERE organisation_id = {organisation:UInt32} AND key IN {keys:Array(String)}`;

type StoredRow = Readonly<Record<keyof StoredPiece, string>>;
