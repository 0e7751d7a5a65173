import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Separator } from '../../../results/csv/parse-csv.ts';
import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../../shared/postgres/with-advisory-lock.ts';
import type { BlockLedger } from './block-ledger.ts';
import { type DifferingRows, maxListed, type StoredRows } from './stored-rows.ts';
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
  readonly stored: StoredRows;
  readonly insertNames: readonly string[];
  readonly separator: Separator;
  /** Send blocks that were loaded before. */
  readonly again: boolean;
  /** The rows are corrections: they replace stored results with the same key. */
  readonly isReplacing: boolean;
  /** Send nothing. */
  readonly isDryRun: boolean;
}

/** Sends blocks that are not recorded yet, compares them with what is stored, and counts. */
export class BlockSender {
  readonly #options: SenderOptions;
  /** Rows of the blocks that were recorded before. */
  recorded = 0;
  sent = 0;
  /** Duplicates among the rows that were sent. */
  readonly duplicates = { identical: 0, different: 0 };
  /** Rows with the key of a stored result and other values; undefined if the role may not compare. */
  differing: DifferingRows | undefined = { rows: 0, first: [] };
  /** received_at of every block that was sent, in microseconds. It identifies the rows of this run. */
  readonly receivedAtUs: number[] = [];
  #startedAtUs: number | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send(rows: RowsToInsert): Promise<void> {
    if (rows.rowCount === 0) return;
    const sha256 = createHash('sha256')
      .update(this.#options.insertNames.join(','))
      .update(rows.bytes)
      .digest('hex');
    if (this.#options.isDryRun) {
      await this.#check(rows, sha256);
      return;
    }
    await this.#options.database.transaction(async (transaction) => {
      // A second loader of the same file waits here, and then finds the block recorded.
      await waitForLock(transaction, lockTable.loadedBlock(sha256));
      await this.#sendLocked(rows, sha256);
    });
  }

  async #sendLocked(rows: RowsToInsert, sha256: string): Promise<void> {
    const { clickhouse, test, ledger, insertNames, separator, isReplacing } = this.#options;
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
    if (isReplacing || !isDiffering) await ledger.add(sha256, rows.rowCount);
  }

  async #check(rows: RowsToInsert, sha256: string) {
    const { ledger, stored, again } = this.#options;
    const { loadedAtUs, nowUs } = await ledger.find(sha256);
    const startedAtUs = (this.#startedAtUs ??= nowUs);
    const isRecorded = loadedAtUs !== undefined && !again;
    // A recorded block is stored as it is, unless its results were corrected later.
    const differing = await stored.differingFrom(rows, {
      receivedBeforeUs: startedAtUs,
      correctedAfterUs: isRecorded ? loadedAtUs : undefined,
    });
    this.differing = differing && this.differing && joined(this.differing, differing);
    this.#count(rows, isRecorded);
    return {
      isRecorded,
      isDiffering: differing !== undefined && differing.rows > 0,
      nowUs,
      startedAtUs,
    };
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

function joined(a: DifferingRows, b: DifferingRows): DifferingRows {
  return { rows: a.rows + b.rows, first: [...a.first, ...b.first].slice(0, maxListed) };
}
