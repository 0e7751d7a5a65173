import { metric, type Metric } from '../metric.ts';

const published = ['regulator', 'published', 'pre-aggregated', 'unit average'];
const busyHours = ['peak', 'busy hours', 'evening'];

/**
 * Averages of a unit over a period, as a regulator publishes them. A blank cell of the publication is NULL:
 * it is not a result of the metric.
 */
export const panelMetrics: readonly Metric[] = [
  speed('panelDownload', 'Download speed', 'download_mean'),
  speed('panelDownloadBusy', 'Download speed in busy hours', 'busy_download_mean'),
  speed('panelUpload', 'Upload speed', 'upload_mean'),
  speed('panelUploadBusy', 'Upload speed in busy hours', 'busy_upload_mean'),
  latency('panelLatency', 'Latency', 'latency_mean'),
  latency('panelLatencyBusy', 'Latency in busy hours', 'busy_latency_mean'),
  metric({
    key: 'panelOutages',
    name: 'Daily outages, published',
    keywords: [...published, 'outage', 'availability', 'disconnections', 'dropouts'],
    unit: 'count',
    better: 'lower',
    description: 'Mean outages per day of a unit over a period, as a regulator publishes it',
    test: 'panel',
    value: 'assumeNotNull(daily_outages)',
    masked: 'daily_outages',
    existsWhen: 'isNotNull(daily_outages)',
    // A day has 1,440 minutes.
    prefilterRule: 'keeps 0 to 1,440 outages per day',
    prefilter: 'daily_outages >= 0 AND daily_outages <= 1440',
  }),
];

function speed(key: string, name: string, column: string): Metric {
  const direction = column.includes('download') ? 'download' : 'upload';
  return metric({
    ...average(key, name, column, `${direction} speed`, ['broadband speed', 'throughput']),
    unit: 'mbps',
    better: 'higher',
    value: `assumeNotNull(${column}) * 8 / 1e6`,
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: `${column} > 0 AND ${column} <= 12500000000`,
  });
}

function latency(key: string, name: string, column: string): Metric {
  return metric({
    ...average(key, name, column, 'round trip', ['round trip', 'ping', 'delay', 'rtt']),
    unit: 'ms',
    better: 'lower',
    value: `assumeNotNull(${column}) / 1000`,
    prefilterRule: 'keeps means from 0.05 ms to 10 s',
    prefilter: `${column} >= 50 AND ${column} <= 10000000`,
  });
}

function average(
  key: string,
  name: string,
  column: string,
  of: string,
  keywords: readonly string[],
) {
  const isBusy = column.startsWith('busy_');
  const hours = isBusy ? 'the busy hours' : 'all hours';
  return {
    key,
    name: `${name}, published`,
    keywords: [...published, ...keywords, ...(isBusy ? busyHours : [])],
    description: `Mean ${of} of a unit over ${hours} of a period, as a regulator publishes it`,
    test: 'panel',
    masked: column,
    existsWhen: `isNotNull(${column})`,
  } as const;
}
