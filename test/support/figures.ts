/** The figures of an ops port, by name and labels as asked. */
export class Figures {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static async of(opsUrl: string): Promise<Figures> {
    return new Figures(await (await fetch(`${opsUrl}/metrics`)).text());
  }

  /** The sum of all series with at least these labels; NaN when there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const lines = this.#text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const found = lines.filter((line) => wanted.every((label) => line.includes(label)));
    if (found.length === 0) return Number.NaN;
    return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  /** Every label of our own figures, with all its values. */
  labels(): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map<string, Set<string>>();
    for (const line of this.#text.split('\n').filter((one) => one.startsWith('netpanel_'))) {
      for (const [, key = '', value = ''] of line.matchAll(/(\w+)="([^"]*)"/g)) {
        found.set(key, (found.get(key) ?? new Set()).add(value));
      }
    }
    return found;
  }
}
