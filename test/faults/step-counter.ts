/** Counts what happens, so that a test can act at a certain step of the work instead of after some time. */
export class StepCounter {
  #count = 0;
  #waiting: { readonly at: number; readonly resolve: () => void }[] = [];

  get count(): number {
    return this.#count;
  }

  step(): void {
    this.#count++;
    const due = this.#waiting.filter(({ at }) => at <= this.#count);
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    for (const { resolve } of due) resolve();
  }

  /** Resolves at the nth step from now on. */
  async after(steps: number): Promise<void> {
    const at = this.#count + steps;
    if (steps > 0) await new Promise<void>((resolve) => this.#waiting.push({ at, resolve }));
  }
}
