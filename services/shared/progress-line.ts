/** Standard error; tests pass their own. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const redrawEveryMs = 200;
const lineEveryMs = 5_000;
const barWidth = 24;

/** Shows progress: a bar on a terminal, elsewhere one line every five seconds. */
export class ProgressLine {
  readonly #name: string;
  readonly #output: ProgressOutput;
  readonly #nowMs: () => number;
  #shownMs: number;

  constructor(
    name: string,
    output: ProgressOutput = process.stderr,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#name = name;
    this.#output = output;
    this.#nowMs = nowMs;
    this.#shownMs = nowMs();
  }

  /** Limits its own output rate. `share` is 0 to 1, undefined when unknown. */
  show(share: number | undefined, details: () => string): void {
    const isTerminal = this.#output.isTTY === true;
    if (this.#nowMs() - this.#shownMs < (isTerminal ? redrawEveryMs : lineEveryMs)) return;
    this.#shownMs = this.#nowMs();
    if (isTerminal) this.#output.write(`\r${this.#bar(share, details())}\u001b[K`);
    else this.#output.write(`${this.#name}: ${details()}\n`);
  }

  /** Clears the bar, so that further output starts on an empty line. */
  end(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[K');
  }

  #bar(share: number | undefined, details: string): string {
    const filled = Math.round(Math.min(1, share ?? 0) * barWidth);
    const bar =
      share === undefined ? '' : ` [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
    return `${this.#name}${bar} ${details}`.slice(0, (this.#output.columns ?? 120) - 1);
  }
}
