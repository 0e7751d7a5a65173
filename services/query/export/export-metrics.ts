import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ExportFormat } from './export-format.ts';
import type { FileStats } from './file-content.ts';

export type ExportOutcome = 'done' | 'failed' | 'cancelled' | 'released';

/** Prometheus metrics of exports. */
export class ExportMetrics {
  readonly #ended: Counter<'format' | 'outcome'>;
  readonly #running: Gauge;
  readonly #durations: Histogram<'format'>;
  readonly #rows: Counter<'format'>;
  readonly #bytes: Counter<'format'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#ended = new Counter({
      name: 'netpanel_exports_total',
      help: 'Finished exports, by format and outcome: done, failed, cancelled, or released to another process.',
      labelNames: ['format', 'outcome'],
      registers,
    });
    this.#running = new Gauge({
      name: 'netpanel_exports_running',
      help: 'Running exports of this process.',
      registers,
    });
    this.#durations = new Histogram({
      name: 'netpanel_export_duration_seconds',
      help: 'Duration of successful exports.',
      labelNames: ['format'],
      buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 1800, 3600],
      registers,
    });
    this.#rows = new Counter({
      name: 'netpanel_export_rows_total',
      help: 'Rows written to export files.',
      labelNames: ['format'],
      registers,
    });
    this.#bytes = new Counter({
      name: 'netpanel_export_bytes_total',
      help: 'Bytes written to export files.',
      labelNames: ['format'],
      registers,
    });
  }

  /** Returns a function to be called with the outcome. */
  begin(format: ExportFormat): (outcome: ExportOutcome, file: FileStats) => void {
    this.#running.inc();
    const stop = this.#durations.startTimer({ format });
    return (outcome, { rows, bytes }) => {
      this.#running.dec();
      this.#ended.inc({ format, outcome });
      if (outcome !== 'done') return;
      stop();
      this.#rows.inc({ format }, rows);
      this.#bytes.inc({ format }, bytes);
    };
  }
}
