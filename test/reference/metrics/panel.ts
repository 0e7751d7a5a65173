import { isMasked } from '../masked.ts';
import type { Columns, MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { column, isPositiveUpTo, mbps, milliseconds } from '../metric-terms.ts';

/** A published mean; null is a blank cell of the publication. */
const published = (name: string, isOrdinary: (c: Columns) => boolean) => ({
  test: 'panel' as const,
  masked: name,
  isPlausible: (c: Columns) => isMasked(c, name) || isOrdinary(c),
  everyHours: 1 as const,
  isRatio: false,
  ownFields: [],
  exists: (c: Columns) => c[name] !== null,
  size: () => 1,
});

const speed = (name: string): MetricDefinition => ({
  ...published(name, isPositiveUpTo(name, 12_500_000_000)),
  value: mbps(name),
});

const latency = (name: string): MetricDefinition => ({
  ...published(name, (c) => Number(c[name]) >= 50 && Number(c[name]) <= 10_000_000),
  value: milliseconds(name),
});

export const panelMetrics: MetricDefinitions = {
  panelDownload: speed('download_mean'),
  panelDownloadBusy: speed('busy_download_mean'),
  panelUpload: speed('upload_mean'),
  panelUploadBusy: speed('busy_upload_mean'),
  panelLatency: latency('latency_mean'),
  panelLatencyBusy: latency('busy_latency_mean'),
  panelOutages: {
    ...published(
      'daily_outages',
      (c) => Number(c.daily_outages) >= 0 && Number(c.daily_outages) <= 1440,
    ),
    value: column('daily_outages'),
  },
};
