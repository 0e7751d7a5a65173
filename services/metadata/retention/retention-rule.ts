/** One kind of data that is removed when it is older than its retention period. */
export interface RetentionRule {
  /** Such as call_counts; the key in retention_state and the label in metrics. */
  readonly name: string;
  /** The retention period in days; 0: for ever. */
  readonly days: number;
  /** The number of rows that `remove` would remove. */
  readonly count: (before: Date) => Promise<number>;
  /** Removes rows from before this time, and yields the number of rows of each step. */
  readonly remove: (before: Date) => AsyncIterable<number>;
}

const dayMs = 86_400_000;

/** Data from before this time is removed; undefined: nothing is removed. */
export function removedBefore({ days }: RetentionRule, now: Date): Date | undefined {
  return days === 0 ? undefined : new Date(now.getTime() - days * dayMs);
}
