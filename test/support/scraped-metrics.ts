/** The Prometheus metrics of an ops port at one moment. */
export class ScrapedMetrics {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static async from(opsUrl: string): Promise<ScrapedMetrics> {
    return new ScrapedMetrics(await (await fetch(`${opsUrl}/metrics`)).text());
  }

  /** The sum of all series with at least these labels; NaN if none exists. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const lines = this.#text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const found = lines.filter((line) => wanted.every((label) => line.includes(label)));
    if (found.length === 0) return Number.NaN;
    return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  /** Every label of the netpanel_* metrics, with all its values. */
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
