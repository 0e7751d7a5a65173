/** The refused requests of one client in one minute. */
export interface CountedAttempts<T> {
  readonly attempt: T;
  readonly minuteMs: number;
  count: number;
}

const minuteLengthMs = 60_000;
/** Different attempts per minute. More are counted together. */
const maxPerMinute = 100;

/**
 * Counts refused requests by client and minute. An attacker can send any number of them, so each
 * minute has a limited number of audit records.
 */
export class AttemptCounter<T extends object> {
  readonly #others: T;
  readonly #minutes = new Map<number, Map<string, CountedAttempts<T>>>();

  /** `others` stands for all attempts over the limit of a minute. */
  constructor(others: T) {
    this.#others = others;
  }

  add(attempt: T, nowMs = Date.now()): void {
    const minuteMs = minuteOf(nowMs);
    const counted = this.#minutes.get(minuteMs) ?? new Map<string, CountedAttempts<T>>();
    this.#minutes.set(minuteMs, counted);
    const key = JSON.stringify(attempt);
    const isOver = !counted.has(key) && counted.size >= maxPerMinute;
    const known = counted.get(isOver ? '' : key);
    if (known !== undefined) known.count++;
    else if (isOver) counted.set('', { attempt: this.#others, minuteMs, count: 1 });
    else counted.set(key, { attempt, minuteMs, count: 1 });
  }

  /** Removes and returns the counts of the minutes that have ended; with Infinity, of all. */
  takeEnded(nowMs = Date.now()): readonly CountedAttempts<T>[] {
    const ended = [...this.#minutes].filter(([minuteMs]) => minuteMs < minuteOf(nowMs));
    for (const [minuteMs] of ended) this.#minutes.delete(minuteMs);
    return ended.flatMap(([, counted]) => [...counted.values()]);
  }
}

function minuteOf(ms: number): number {
  return ms === Infinity ? ms : ms - (ms % minuteLengthMs);
}
