/** Where progress is shown: standard error, or what a test puts in its place. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const redrawEveryMs = 200;
const lineEveryMs = 5_000;

/**
 * A bar that redraws itself on a terminal, a line every few seconds elsewhere. Bytes are those of
 * the input as it lies there, so a compressed file moves by its compressed size.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #nowMs: () => number;
  readonly #name: string;
  /** 0 when nobody knows: standard input. */
  readonly #totalBytes: number;
  readonly #startedMs: number;
  #shownMs: number;
  #bytes = 0;
  #rows = 0;

  constructor(
    name: string,
    totalBytes: number,
    output: ProgressOutput = process.stderr,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#name = name;
    this.#totalBytes = totalBytes;
    this.#output = output;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
    this.#shownMs = this.#startedMs;
  }

  addBytes(count: number): void {
    this.#bytes += count;
    this.#showNowAndThen();
  }

  addRows(count: number): void {
    this.#rows += count;
    this.#showNowAndThen();
  }

  /** Takes the bar away, so that what is printed next stands on a line of its own. */
  end(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[K');
  }

  #showNowAndThen(): void {
    const isTerminal = this.#output.isTTY === true;
    if (this.#nowMs() - this.#shownMs < (isTerminal ? redrawEveryMs : lineEveryMs)) return;
    this.#shownMs = this.#nowMs();
    if (isTerminal) this.#output.write(`\r${this.#bar()}\u001b[K`);
    else this.#output.write(`${this.#name}: ${this.#figures()}\n`);
  }

  #bar(): string {
    const share = this.#totalBytes === 0 ? 0 : Math.min(1, this.#bytes / this.#totalBytes);
    const filled = Math.round(share * barWidth);
    const bar =
      this.#totalBytes === 0 ? '' : ` [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
    return `${this.#name}${bar} ${this.#figures()}`.slice(0, (this.#output.columns ?? 120) - 1);
  }

  #figures(): string {
    const elapsedS = Math.max(0.001, (this.#nowMs() - this.#startedMs) / 1000);
    const rate = this.#bytes / elapsedS;
    const leftS = (this.#totalBytes - this.#bytes) / rate;
    return [
      `${this.#rows.toLocaleString('en')} rows`,
      `${(rate / 1e6).toFixed(1)} MB/s`,
      ...(this.#totalBytes === 0 ? [] : [`${clock(Math.max(0, leftS))} left`]),
    ].join(', ');
  }
}

const barWidth = 24;

// 75 s is 1:15, and 3,700 s is 1:01:40.
function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? part : String(part).padStart(2, '0'))).join(':');
}
