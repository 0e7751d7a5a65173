import { metric, type Metric } from '../metric.ts';

// 20 Gbit/s: twice the speed of the fastest phones.
const plausibleSpeed = 'bytes_sec > 0 AND bytes_sec <= 2500000000';
const ownFields = ['ip_version', 'operating_system'];

/** Tests of phones. They have no schedule, so every hour is a block. */
export const mobileMetrics: readonly Metric[] = [
  metric({
    key: 'mobileDownload',
    unit: 'mbps',
    description: 'Download speed of a phone',
    test: 'mobile_download',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilter: plausibleSpeed,
    everyHours: 1,
    ownFields: [...ownFields, 'threads'],
  }),
  metric({
    key: 'mobileUpload',
    unit: 'mbps',
    description: 'Upload speed of a phone',
    test: 'mobile_upload',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilter: plausibleSpeed,
    everyHours: 1,
    ownFields: [...ownFields, 'threads'],
  }),
  metric({
    key: 'mobileLatency',
    unit: 'ms',
    description: 'Round trip from a phone by UDP',
    test: 'mobile_latency',
    value: 'rtt_avg / 1000',
    existsWhen: 'successes > 0',
    // Mobile networks can be far slower than fixed lines: only impossible values are excluded.
    prefilter: 'failures <= successes AND rtt_min >= 50 AND rtt_avg <= 10000000',
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'mobileWww',
    unit: 's',
    description: 'Time to load a web page on a phone',
    test: 'mobile_www',
    value: 'fetch_time / 1e6',
    existsWhen: 'successes > 0',
    prefilter: 'fetch_time >= 50000 AND fetch_time <= 30000000',
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'mobileYoutube',
    unit: 'mbps',
    description: 'Media bit rate at which YouTube plays on a phone without stopping',
    test: 'mobile_youtube',
    value: 'bitrate * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilter: 'bitrate > 0 AND bitrate <= 125000000',
    everyHours: 1,
    ownFields: [...ownFields, 'resolution'],
  }),
];
