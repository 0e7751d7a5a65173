import { metricsOf, type Registry } from '../../shared/metrics.ts';
import type { ExportFormat } from '../formats/file-format.ts';
import type { FileStats } from './file-content.ts';

export type ExportOutcome = 'done' | 'failed' | 'cancelled' | 'released';

/** To be called when an export begins. Returns a function to be called with the outcome. */
export type MeasureExport = (
  format: ExportFormat,
) => (outcome: ExportOutcome, file: FileStats) => void;

const buckets = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 1800, 3600];

/** Prometheus metrics of exports. */
export function exportMetrics(registry: Registry): MeasureExport {
  const { counter, gauge, histogram } = metricsOf(registry);
  const ended = counter(
    'netpanel_exports_total',
    'Finished exports, by format and outcome: done, failed, cancelled, or released for another attempt.',
    'format',
    'outcome',
  );
  const running = gauge('netpanel_exports_running', 'Running exports of this process.');
  const durations = histogram(
    'netpanel_export_duration_seconds',
    'Duration of successful exports.',
    buckets,
    'format',
  );
  const rows = counter('netpanel_export_rows_total', 'Rows written to export files.', 'format');
  const bytes = counter('netpanel_export_bytes_total', 'Bytes written to export files.', 'format');
  return (format) => {
    running.inc();
    const stop = durations.startTimer({ format });
    return (outcome, file) => {
      running.dec();
      ended.inc({ format, outcome });
      if (outcome !== 'done') return;
      stop();
      rows.inc({ format }, file.rows);
      bytes.inc({ format }, file.bytes);
    };
  };
}
