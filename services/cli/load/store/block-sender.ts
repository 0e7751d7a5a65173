import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Separator } from '../../../results/csv/parse-csv.ts';
import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../../shared/postgres/with-advisory-lock.ts';
import type { BlockLedger } from './block-ledger.ts';
import { insertBlock } from '../../../results/store/insert-block.ts';
import {
  type RowsToInsert,
  unixTime,
  withFirstColumn,
} from '../../../results/store/rows-to-insert.ts';

export interface SenderOptions {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly test: string;
  readonly ledger: BlockLedger;
  readonly insertNames: readonly string[];
  readonly separator: Separator;
  /** Send blocks that were loaded before. */
  readonly again: boolean;
  /** Send nothing. */
  readonly isDryRun: boolean;
}

/** Sends blocks that are not recorded yet, and counts. */
export class BlockSender {
  readonly #options: SenderOptions;
  /** Rows of the blocks that were recorded before. */
  recorded = 0;
  sent = 0;
  /** Duplicates among the rows that were sent. */
  readonly duplicates = { identical: 0, different: 0 };
  /** received_at of every block that was sent, in microseconds. It identifies the rows of this run. */
  readonly receivedAtUs: number[] = [];

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send(rows: RowsToInsert): Promise<void> {
    if (rows.rowCount === 0) return;
    const { insertNames, isDryRun, ledger } = this.#options;
    const sha256 = createHash('sha256')
      .update(insertNames.join(','))
      .update(rows.bytes)
      .digest('hex');
    if (isDryRun) {
      this.#count(rows, (await ledger.find(sha256)).isLoaded);
      return;
    }
    await this.#options.database.transaction(async (transaction) => {
      // A second loader of the same file waits here, and then finds the block recorded.
      await waitForLock(transaction, lockTable.loadedBlock(sha256));
      await this.#sendLocked(rows, sha256);
    });
  }

  async #sendLocked(rows: RowsToInsert, sha256: string): Promise<void> {
    const { clickhouse, test, ledger, insertNames, separator, again } = this.#options;
    const { isLoaded, nowUs } = await ledger.find(sha256);
    this.#count(rows, isLoaded && !again);
    if (isLoaded && !again) return;
    // The row number counts as up to 1 ms, so blocks of a run must be further apart.
    const receivedAtUs = Math.max(nowUs, (this.receivedAtUs.at(-1) ?? 0) + 1_000);
    this.receivedAtUs.push(receivedAtUs);
    const bytes = withFirstColumn(rows, unixTime(receivedAtUs) + separator);
    await insertBlock(clickhouse, test, {
      names: ['received_at', ...insertNames],
      separator,
      chunks: [bytes],
    });
    await ledger.add(sha256, rows.rowCount);
  }

  #count({ rowCount, duplicates }: RowsToInsert, isRecorded: boolean): void {
    if (isRecorded) {
      this.recorded += rowCount;
      return;
    }
    this.sent += rowCount;
    this.duplicates.identical += duplicates.identical;
    this.duplicates.different += duplicates.different;
  }
}
