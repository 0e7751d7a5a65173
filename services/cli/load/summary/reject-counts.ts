import type { RejectedRow } from '../../../results/rows/scanned-rows.ts';

export interface RejectReason {
  readonly reason: string;
  readonly rows: number;
  /** The first row with this reason. */
  readonly firstLine: number;
  readonly column: string;
  readonly firstValue: string;
}

/** Counts rejected rows by reason. Memory is bounded: reasons beyond the limit are one. */
export class RejectCounts {
  readonly #reasons = new Map<string, { rows: number; readonly first: RejectedRow }>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(rows: readonly RejectedRow[]): void {
    this.#total += rows.length;
    for (const row of rows) {
      const group = row.group ?? row.reason;
      const isFull = this.#reasons.size >= maxReasons && !this.#reasons.has(group);
      const reason = isFull ? 'other reasons' : group;
      const counted = this.#reasons.get(reason);
      if (counted === undefined) this.#reasons.set(reason, { rows: 1, first: row });
      else counted.rows++;
    }
  }

  /** The most frequent first. */
  reasons(): readonly RejectReason[] {
    return [...this.#reasons]
      .map(([reason, { rows, first }]) => ({
        reason,
        rows,
        firstLine: first.line,
        column: first.column,
        firstValue: first.value,
      }))
      .sort((a, b) => b.rows - a.rows);
  }
}

const maxReasons = 50;
