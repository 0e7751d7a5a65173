import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MemoryBudget } from '../body/memory-budget.ts';

interface Inserted {
  readonly requests: number;
  readonly rowCount: number;
}

/** Metrics of the ingestion service besides those of every service. */
export class IngestMetrics {
  readonly #rows: Counter<'test' | 'outcome'>;
  readonly #insertS: Histogram<'test'>;
  readonly #requestsPerInsert: Histogram;

  constructor(registry: Registry, memory: MemoryBudget) {
    const registers = [registry];
    this.#rows = new Counter({
      name: 'netpanel_ingest_rows_total',
      help: 'Rows of requests with results, by test and outcome: stored or rejected.',
      labelNames: ['test', 'outcome'],
      registers,
    });
    this.#insertS = new Histogram({
      name: 'netpanel_ingest_insert_seconds',
      help: 'Duration of successful inserts of results into ClickHouse.',
      labelNames: ['test'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    this.#requestsPerInsert = new Histogram({
      name: 'netpanel_ingest_requests_per_insert',
      help: 'Requests whose rows were inserted together.',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000],
      registers,
    });
    memoryMetrics(registry, memory);
  }

  /** Returns the function to call when the insert has succeeded. */
  startInsert(test: string): (inserted: Inserted) => void {
    const end = this.#insertS.startTimer({ test });
    return ({ requests, rowCount }) => {
      end();
      this.#requestsPerInsert.observe(requests);
      this.#rows.inc({ test, outcome: 'stored' }, rowCount);
    };
  }

  countRejected(test: string, rows: number): void {
    if (rows > 0) this.#rows.inc({ test, outcome: 'rejected' }, rows);
  }
}

function memoryMetrics(registry: Registry, memory: MemoryBudget): void {
  new Gauge({
    name: 'netpanel_ingest_buffered_bytes',
    help: 'Memory reserved for requests with results.',
    registers: [registry],
    collect() {
      this.set(memory.counts.usedBytes);
    },
  });
  new Gauge({
    name: 'netpanel_ingest_waiting_requests',
    help: 'Requests that wait for memory.',
    registers: [registry],
    collect() {
      this.set(memory.counts.waiting);
    },
  });
  new Counter({
    name: 'netpanel_ingest_refused_total',
    help: 'Requests that were refused because of the memory limit.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(memory.counts.refused);
    },
  });
}
