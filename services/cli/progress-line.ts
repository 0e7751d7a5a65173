/** Where progress is shown: standard error, or what a test puts in its place. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const redrawEveryMs = 200;
const lineEveryMs = 5_000;
const barWidth = 24;

/** How far some work is: a bar that redraws itself on a terminal, a line now and then elsewhere. */
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

  /** May be called as often as there is news. `share` is 0 to 1, undefined when unknown. */
  show(share: number | undefined, figures: () => string): void {
    const isTerminal = this.#output.isTTY === true;
    if (this.#nowMs() - this.#shownMs < (isTerminal ? redrawEveryMs : lineEveryMs)) return;
    this.#shownMs = this.#nowMs();
    if (isTerminal) this.#output.write(`\r${this.#bar(share, figures())}\u001b[K`);
    else this.#output.write(`${this.#name}: ${figures()}\n`);
  }

  /** Takes the bar away, so that what is printed next stands on a line of its own. */
  end(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[K');
  }

  #bar(share: number | undefined, figures: string): string {
    const filled = Math.round(Math.min(1, share ?? 0) * barWidth);
    const bar =
      share === undefined ? '' : ` [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
    return `${this.#name}${bar} ${figures}`.slice(0, (this.#output.columns ?? 120) - 1);
  }
}
