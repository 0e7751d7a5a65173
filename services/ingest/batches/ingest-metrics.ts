import { metricsOf, type Registry } from '../../shared/metrics.ts';
import type { MemoryBudget } from '../body/memory-budget.ts';

interface Inserted {
  readonly requests: number;
  readonly rowCount: number;
}

export type IngestMetrics = ReturnType<typeof ingestMetrics>;

/** Metrics of the ingestion service besides those of every service. */
export function ingestMetrics(registry: Registry, memory: MemoryBudget) {
  const { counter, histogram, measured, counted } = metricsOf(registry);
  const rows = counter(
    'netpanel_ingest_rows_total',
    'Rows of requests with results, by test and outcome: stored or rejected.',
    'test',
    'outcome',
  );
  const insertS = histogram(
    'netpanel_ingest_insert_seconds',
    'Duration of successful inserts of results into ClickHouse.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    'test',
  );
  const requestsPerInsert = histogram(
    'netpanel_ingest_requests_per_insert',
    'Requests whose rows were inserted together.',
    [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000],
  );
  measured(
    'netpanel_ingest_buffered_bytes',
    'Memory reserved for requests with results.',
    () => memory.counts.usedBytes,
  );
  measured(
    'netpanel_ingest_running_requests',
    'Requests with results that are being received or stored.',
    () => memory.counts.running,
  );
  measured(
    'netpanel_ingest_waiting_requests',
    'Requests that wait for memory.',
    () => memory.counts.waiting,
  );
  counted(
    'netpanel_ingest_refused_total',
    'Requests that were refused because of the memory limit.',
    () => memory.counts.refused,
  );
  return {
    /** Returns the function to call when the insert has succeeded. */
    startInsert: (test: string) => {
      const end = insertS.startTimer({ test });
      return ({ requests, rowCount }: Inserted) => {
        end();
        requestsPerInsert.observe(requests);
        rows.inc({ test, outcome: 'stored' }, rowCount);
      };
    },
    countRejected: (test: string, count: number) => {
      if (count > 0) rows.inc({ test, outcome: 'rejected' }, count);
    },
  };
}
