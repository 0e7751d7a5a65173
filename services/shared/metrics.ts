import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

// The only importer of prom-client. Its successor, @prometheus-io/client, has the same names of metrics, and declares
// that it needs Node 22: it takes its place when netpanel no longer runs on Node 20 (docs/decisions/node-versions.md).
export { Registry, type Counter };

/** The metrics of a service, with those of its process. */
export function newRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

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

    /** A gauge whose values by labels are read for every scrape. */
    measuredBy: <Label extends string>(
      name: string,
      help: string,
      labelNames: Label[],
      read: () => readonly (readonly [labels: Record<Label, string>, value: number])[],
    ) => {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          for (const [labels, value] of read()) this.set(labels, value);
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
