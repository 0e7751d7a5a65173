import { metric, type Metric } from '../metric.ts';
import { type PublishedAverage, publishedAverages } from '../published-averages.ts';

const published = ['regulator', 'published', 'pre-aggregated', 'unit average'];
const busyHours = ['peak', 'busy hours', 'evening'];

const kinds = {
  speed: {
    unit: 'mbps',
    value: (column: string) => `assumeNotNull(${column}) * 8 / 1e6`,
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: (column: string) => `${column} > 0 AND ${column} <= 12500000000`,
  },
  delay: {
    unit: 'ms',
    value: (column: string) => `assumeNotNull(${column}) / 1000`,
    prefilterRule: 'keeps values above 0 and up to 10 s',
    prefilter: (column: string) => `${column} > 0 AND ${column} <= 10000000`,
  },
  load: {
    unit: 's',
    value: (column: string) => `assumeNotNull(${column}) / 1e6`,
    prefilterRule: 'keeps values above 0 and up to 60 s',
    prefilter: (column: string) => `${column} > 0 AND ${column} <= 60000000`,
  },
  percent: {
    unit: '%',
    value: (column: string) => `assumeNotNull(${column})`,
    prefilterRule: 'keeps 0 to 100 %',
    prefilter: (column: string) => `${column} >= 0 AND ${column} <= 100`,
  },
} as const;

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
    aliases: ['panelDisconnections'],
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
  ...publishedAverages.map(publishedMetric),
];

function publishedMetric(average: PublishedAverage): Metric {
  const { column, name, about, keywords, better } = average;
  const { unit, value, prefilterRule, prefilter } = kinds[average.kind];
  const isBusy = column.startsWith('busy_');
  return metric({
    key: keyOf(column),
    name: `${name}, published`,
    keywords: [...published, ...keywords, ...(isBusy ? busyHours : [])],
    unit,
    better,
    description: `${about}, as a regulator publishes it`,
    test: 'panel',
    masked: column,
    existsWhen: `isNotNull(${column})`,
    value: value(column),
    prefilterRule,
    prefilter: prefilter(column),
  });
}

/** `busy_jitter_up_mean` is of panelJitterUpBusy. */
function keyOf(column: string): string {
  const words = column.replace(/^busy_/, '').replace(/_mean$/, '');
  const key = `_${words}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `panel${key}${column.startsWith('busy_') ? 'Busy' : ''}`;
}

function speed(key: string, name: string, column: string): Metric {
  const direction = column.includes('download') ? 'download' : 'upload';
  return metric({
    ...average(key, name, column, `${direction} speed`, ['broadband speed', 'throughput']),
    ...kinds.speed,
    better: 'higher',
    value: kinds.speed.value(column),
    prefilter: kinds.speed.prefilter(column),
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
