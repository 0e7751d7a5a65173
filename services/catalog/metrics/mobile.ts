import { metric, type Metric } from '../metric.ts';

// 20 Gbit/s: twice the speed of the fastest phones.
const plausibleSpeed = 'bytes_sec > 0 AND bytes_sec <= 2500000000';
const ownFields = ['ip_version', 'operating_system'];

/** Tests of phones. They have no schedule, so every hour is a block. */
export const mobileMetrics: readonly Metric[] = [
  metric({
    key: 'mobileDownload',
    name: 'Download speed, mobile',
    keywords: ['phone', 'cellular', 'throughput'],
    unit: 'mbps',
    description: 'Download speed of a phone',
    test: 'mobile_download',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps speeds above 0 and up to 20 Gbit/s',
    prefilter: plausibleSpeed,
    everyHours: 1,
    ownFields: [...ownFields, 'threads'],
  }),
  metric({
    key: 'mobileUpload',
    name: 'Upload speed, mobile',
    keywords: ['phone', 'cellular', 'throughput'],
    unit: 'mbps',
    description: 'Upload speed of a phone',
    test: 'mobile_upload',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps speeds above 0 and up to 20 Gbit/s',
    prefilter: plausibleSpeed,
    everyHours: 1,
    ownFields: [...ownFields, 'threads'],
  }),
  metric({
    key: 'mobileLatency',
    name: 'Latency, mobile',
    keywords: ['phone', 'cellular', 'round trip', 'ping', 'delay', 'rtt'],
    unit: 'ms',
    description: 'Round trip from a phone by UDP',
    test: 'mobile_latency',
    value: 'rtt_avg / 1000',
    existsWhen: 'successes > 0',
    prefilterRule:
      'keeps tests with at most half of the packets lost, a shortest round trip of at least 0.05 ms and a mean of at most 10 s',
    // Mobile networks can be far slower than fixed lines: only impossible values are excluded.
    prefilter: 'failures <= successes AND rtt_min >= 50 AND rtt_avg <= 10000000',
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'mobileWww',
    name: 'Web page load time, mobile',
    keywords: ['phone', 'cellular', 'browsing', 'website'],
    unit: 's',
    description: 'Time to load a web page on a phone',
    test: 'mobile_www',
    value: 'fetch_time / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps pages that took 0.05 to 30 s',
    prefilter: 'fetch_time >= 50000 AND fetch_time <= 30000000',
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'mobileYoutube',
    name: 'YouTube bit rate, mobile',
    keywords: ['phone', 'cellular', 'video', 'streaming'],
    unit: 'mbps',
    description: 'Media bit rate at which YouTube plays on a phone without stopping',
    test: 'mobile_youtube',
    value: 'bitrate * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps bit rates above 0 and up to 1 Gbit/s',
    prefilter: 'bitrate > 0 AND bitrate <= 125000000',
    everyHours: 1,
    ownFields: [...ownFields, 'resolution'],
  }),
];
