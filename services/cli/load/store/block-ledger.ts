import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../../shared/clickhouse/query-rows.ts';

/**
 * Records in ClickHouse which blocks of rows were loaded, so that a file loaded again is not sent
 * again. A block sent but not recorded is sent twice; its rows still count once.
 */
export class BlockLedger {
  readonly #clickhouse: ClickHouseClient;
  readonly #organisationId: number;
  readonly #test: string;

  constructor(clickhouse: ClickHouseClient, organisationId: number, test: string) {
    this.#clickhouse = clickhouse;
    this.#organisationId = organisationId;
    this.#test = test;
  }

  /** When a block was recorded, if it was, and the time of the server, in microseconds since 1970. */
  async find(
    sha256: string,
  ): Promise<{ readonly loadedAtUs: number | undefined; readonly nowUs: number }> {
    const [row] = await queryRows<{ loaded_us: string | number; now_us: string | number }>(
      this.#clickhouse,
      `SELECT toUnixTimestamp64Micro(toDateTime64(max(loaded_at), 6, 'UTC')) AS loaded_us,
  toUnixTimestamp64Micro(now64(6)) AS now_us
FROM loaded_blocks
WHERE organisation_id = {organisationId:UInt32} AND test = {test:String} AND sha256 = {sha256:String}`,
      { query_params: { organisationId: this.#organisationId, test: this.#test, sha256 } },
    );
    return { loadedAtUs: Number(row?.loaded_us) || undefined, nowUs: Number(row?.now_us) };
  }

  async add(sha256: string, rowCount: number): Promise<void> {
    await this.#clickhouse.insert({
      table: 'loaded_blocks',
      values: [
        { organisation_id: this.#organisationId, test: this.#test, sha256, row_count: rowCount },
      ],
      format: 'JSONEachRow',
    });
  }
}
