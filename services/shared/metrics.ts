import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Prometheus metrics of a registry: each has a name, a sentence, and the names of its labels. */
export function metricsOf(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),

    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers }),

    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      ...labelNames: Label[]
    ) => new Histogram({ name, help, buckets, labelNames, registers }),

    /** A gauge whose value is read for every scrape; NaN if that fails. */
    measured: (name: string, help: string, read: () => number | Promise<number>) => {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.set(NaN);
          }
        },
      });
    },

    /** A counter that is kept elsewhere, and read for every scrape. */
    counted: (name: string, help: string, read: () => number) => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
  };
}
