import { createHash } from 'node:crypto';
import type { OpenRows } from '../../results/rows/open-rows.ts';
import { insertBlock } from '../../results/insert/insert-block.ts';
import {
  type RowsToInsert,
  unixTime,
  withFirstColumn,
} from '../../results/insert/rows-to-insert.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import type { LoadTarget } from './load-target.ts';
import { type DifferingRows, maxListed, StoredRows } from './stored-rows.ts';

/**
 * Sends blocks that are not recorded yet, compares them with stored results, and counts rows. ClickHouse records loaded
 * blocks, so that loading a file again sends nothing. A block sent but not recorded is sent twice; its rows still count
 * once.
 */
export class BlockSender {
  readonly #target: LoadTarget;
  readonly #rows: OpenRows;
  readonly #stored: StoredRows;
  /** Rows of the blocks that were recorded before. */
  recorded = 0;
  sent = 0;
  /** Duplicates among the rows that were sent. */
  readonly duplicates = { identical: 0, different: 0 };
  /** Rows with the key of a stored result and other values. */
  differing: DifferingRows = { rows: 0, first: [] };
  /** received_at of every block that was sent, in microseconds. It identifies the rows of this run. */
  readonly receivedAtUs: number[] = [];
  #startedAtUs: number | undefined;

  constructor(target: LoadTarget, rows: OpenRows) {
    this.#target = target;
    this.#rows = rows;
    this.#stored = new StoredRows(target, rows);
  }

  async send(rows: RowsToInsert): Promise<void> {
    if (rows.rowCount === 0) return;
    const sha256 = createHash('sha256')
      .update(this.#rows.insertNames.join(','))
      .update(rows.bytes)
      .digest('hex');
    if (this.#target.isDryRun) {
      await this.#check(rows, sha256);
      return;
    }
    await this.#target.database.transaction(async (transaction) => {
      // A second loader of the same file waits here, and then finds the block recorded.
      await waitForLock(transaction, lockTable.loadedBlock(sha256));
      await this.#sendLocked(rows, sha256);
    });
  }

  async #sendLocked(rows: RowsToInsert, sha256: string): Promise<void> {
    const { clickhouse, test, isReplacing } = this.#target;
    const { insertNames, separator } = this.#rows;
    const { isRecorded, isDiffering, nowUs, startedAtUs } = await this.#check(rows, sha256);
    if (isRecorded) return;
    // The row number counts as up to 1 ms, so blocks of a run must be further apart.
    const receivedAtUs = Math.max(nowUs, (this.receivedAtUs.at(-1) ?? 0) + 1_000);
    // The last correction wins, but the first of two rows of the file is kept. A row number counts as up to 2 ms.
    const correctedAtUs = startedAtUs - 2_000 * this.receivedAtUs.length;
    this.receivedAtUs.push(receivedAtUs);
    const times = [receivedAtUs, ...(isReplacing ? [correctedAtUs] : [])].map(unixTime);
    const bytes = withFirstColumn(rows, times.join(separator) + separator);
    await insertBlock(clickhouse, test, {
      names: ['received_at', ...(isReplacing ? ['corrected_at'] : []), ...insertNames],
      separator,
      chunks: [bytes],
    });
    // Otherwise the next run would not report the differences.
    if (isReplacing || !isDiffering) await this.#record(sha256, rows.rowCount);
  }

  async #check(rows: RowsToInsert, sha256: string) {
    const { again, isReplacing } = this.#target;
    const { loadedAtUs, nowUs } = await this.#find(sha256);
    const startedAtUs = (this.#startedAtUs ??= nowUs);
    const isRecorded = loadedAtUs !== undefined && !again && !isReplacing;
    // A recorded block is stored as it is, unless its results were corrected later.
    const differing = await this.#stored.differingFrom(rows, {
      receivedBeforeUs: startedAtUs,
      correctedAfterUs: isRecorded ? loadedAtUs : undefined,
    });
    this.differing = {
      rows: this.differing.rows + differing.rows,
      first: [...this.differing.first, ...differing.first].slice(0, maxListed),
    };
    if (isRecorded) this.recorded += rows.rowCount;
    else {
      this.sent += rows.rowCount;
      this.duplicates.identical += rows.duplicates.identical;
      this.duplicates.different += rows.duplicates.different;
    }
    return { isRecorded, isDiffering: differing.rows > 0, nowUs, startedAtUs };
  }

  /** When a block was recorded, if it was, and the time of the server, in microseconds since 1970. */
  async #find(sha256: string) {
    const { clickhouse, organisationId, test } = this.#target;
    const [row] = await queryRows<{ loaded_us: string | number; now_us: string | number }>(
      clickhouse,
      `SELECT toUnixTimestamp64Micro(toDateTime64(max(loaded_at), 6, 'UTC')) AS loaded_us,
  toUnixTimestamp64Micro(now64(6)) AS now_us
FROM loaded_blocks
WHERE organisation_id = {organisationId:UInt32} AND test = {test:String} AND sha256 = {sha256:String}`,
      { query_params: { organisationId, test, sha256 } },
    );
    return { loadedAtUs: Number(row?.loaded_us) || undefined, nowUs: Number(row?.now_us) };
  }

  async #record(sha256: string, row_count: number): Promise<void> {
    const { clickhouse, organisationId: organisation_id, test } = this.#target;
    await clickhouse.insert({
      table: 'loaded_blocks',
      values: [{ organisation_id, test, sha256, row_count }],
      format: 'JSONEachRow',
    });
  }

  /** Splits the rows of a run into new results, duplicates and results that were there before. */
  async account(days: Days | undefined) {
    const { sent, recorded, duplicates } = this;
    const stored = this.#target.isDryRun
      ? sent - duplicates.identical - duplicates.different
      : await this.#countStored(days);
    // A duplicate is stored after all if the row before it was in a recorded block and is gone.
    const notStored = Math.max(0, sent - stored);
    const different = Math.min(duplicates.different, notStored);
    const identical = Math.min(duplicates.identical, notStored - different);
    return {
      loaded: stored,
      alreadyThere: recorded + notStored - different - identical,
      duplicates: { identical, different },
    };
  }

  /**
   * The results whose row is of this run. Rows with a key that was stored before do not count, because the first row
   * received is kept.
   */
  async #countStored(days: Days | undefined): Promise<number> {
    const { receivedAtUs } = this;
    if (receivedAtUs.length === 0 || days === undefined) return 0;
    const { clickhouse, organisationId, test } = this.#target;
    const [row] = await queryRows<{ stored: string | number }>(
      clickhouse,
      `SELECT count() AS stored FROM test_${test} FINAL
WHERE organisation_id = {organisationId:UInt32}
  AND toDate(dtime) BETWEEN toDate({first:String}) AND toDate({last:String})
  AND dtime >= toDateTime64({first:String}, 3, 'UTC')
  AND dtime < toDateTime64({last:String}, 3, 'UTC') + INTERVAL 1 DAY
  AND toUnixTimestamp64Micro(received_at) IN {receivedAtUs:Array(Int64)}
SETTINGS do_not_merge_across_partitions_select_final = 1`,
      { query_params: { organisationId, ...days, receivedAtUs } },
    );
    return Number(row?.stored);
  }
}

/** First and last day of the rows, UTC. */
interface Days {
  readonly first: string;
  readonly last: string;
}
