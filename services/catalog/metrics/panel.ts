import { metric, type Metric } from '../metric.ts';

const published = ['regulator', 'published', 'pre-aggregated', 'unit average'];
const busyHours = ['peak', 'busy hours', 'evening'];

/**
 * Averages of a unit over a period, as a regulator publishes them. A blank cell of the publication is NULL:
 * it is not a result of the metric.
 */
export const panelMetrics: readonly Metric[] = [
  speed('panelDownload', 'Download speed, published', 'download', 'download_mean'),
  speed(
    'panelDownloadBusy',
    'Download speed in busy hours, published',
    'download',
    'busy_download_mean',
  ),
  speed('panelUpload', 'Upload speed, published', 'upload', 'upload_mean'),
  speed('panelUploadBusy', 'Upload speed in busy hours, published', 'upload', 'busy_upload_mean'),
  latency('panelLatency', 'Latency, published', 'latency_mean'),
  latency('panelLatencyBusy', 'Latency in busy hours, published', 'busy_latency_mean'),
  metric({
    key: 'panelOutages',
    name: 'Daily outages, published',
    keywords: [...published, 'outage', 'availability', 'disconnections', 'dropouts'],
    unit: 'count',
    better: 'lower',
    description: 'Outages per day of a unit over a period, as a regulator publishes the mean',
    test: 'panel',
    value: 'assumeNotNull(daily_outages)',
    existsWhen: 'isNotNull(daily_outages)',
    // A day has 1,440 minutes.
    prefilterRule: 'keeps 0 to 1,440 outages per day',
    prefilter: 'daily_outages >= 0 AND daily_outages <= 1440',
    everyHours: 1,
    ownFields: [],
  }),
];

function speed(
  key: string,
  name: string,
  direction: 'download' | 'upload',
  column: string,
): Metric {
  return metric({
    key,
    name,
    keywords: [...published, 'broadband speed', 'throughput', ...busyKeywords(column)],
    unit: 'mbps',
    better: 'higher',
    description: `Mean ${direction} speed of a unit over ${hoursOf(column)} of a period, as a regulator publishes it`,
    test: 'panel',
    value: `assumeNotNull(${column}) * 8 / 1e6`,
    existsWhen: `isNotNull(${column})`,
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: `${column} > 0 AND ${column} <= 12500000000`,
    everyHours: 1,
    ownFields: [],
  });
}

function latency(key: string, name: string, column: string): Metric {
  return metric({
    key,
    name,
    keywords: [...published, 'round trip', 'ping', 'delay', 'rtt', ...busyKeywords(column)],
    unit: 'ms',
    better: 'lower',
    description: `Mean round trip of a unit over ${hoursOf(column)} of a period, as a regulator publishes it`,
    test: 'panel',
    value: `assumeNotNull(${column}) / 1000`,
    existsWhen: `isNotNull(${column})`,
    prefilterRule: 'keeps means from 0.05 ms to 10 s',
    prefilter: `${column} >= 50 AND ${column} <= 10000000`,
    everyHours: 1,
    ownFields: [],
  });
}

function hoursOf(column: string): string {
  return column.startsWith('busy_') ? 'the busy hours' : 'all hours';
}

function busyKeywords(column: string): readonly string[] {
  return column.startsWith('busy_') ? busyHours : [];
}
