import { metric, type Metric } from '../metric.ts';

const ownFields = ['ip_version', 'operating_system'];

/** Tests of phones. They have no schedule, so every hour is a block. */
export const mobileMetrics: readonly Metric[] = [
  speed('mobileDownload', 'Download', 'mobile_download'),
  speed('mobileUpload', 'Upload', 'mobile_upload'),
  metric({
    key: 'mobileLatency',
    name: 'Latency, mobile',
    keywords: ['phone', 'cellular', 'round trip', 'ping', 'delay', 'rtt'],
    unit: 'ms',
    better: 'lower',
    description: 'Round trip from a phone by UDP',
    test: 'mobile_latency',
    value: 'rtt_avg / 1000',
    prefilterRule:
      'keeps tests with at most half of the packets lost, a shortest round trip of at least 0.05 ms and a mean of at most 10 s',
    // Mobile networks can be far slower than fixed lines: only impossible values are excluded.
    prefilter: 'failures <= successes AND rtt_min >= 50 AND rtt_avg <= 10000000',
    ownFields,
  }),
  metric({
    key: 'mobileWww',
    name: 'Web page load time, mobile',
    keywords: ['phone', 'cellular', 'browsing', 'website'],
    unit: 's',
    better: 'lower',
    description: 'Time to load a web page on a phone',
    test: 'mobile_www',
    value: 'fetch_time / 1e6',
    prefilterRule: 'keeps pages that took 0.05 to 30 s',
    prefilter: 'fetch_time >= 50000 AND fetch_time <= 30000000',
    ownFields,
  }),
  metric({
    key: 'mobileYoutube',
    name: 'YouTube bit rate, mobile',
    keywords: ['phone', 'cellular', 'video', 'streaming'],
    unit: 'mbps',
    better: 'higher',
    description: 'Media bit rate at which YouTube plays on a phone without stopping',
    test: 'mobile_youtube',
    value: 'bitrate * 8 / 1e6',
    prefilterRule: 'keeps bit rates above 0 and up to 1 Gbit/s',
    prefilter: 'bitrate > 0 AND bitrate <= 125000000',
    ownFields: [...ownFields, 'resolution'],
  }),
];

function speed(key: string, name: string, test: 'mobile_download' | 'mobile_upload'): Metric {
  return metric({
    key,
    name: `${name} speed, mobile`,
    keywords: ['phone', 'cellular', 'throughput'],
    unit: 'mbps',
    better: 'higher',
    description: `${name} speed of a phone`,
    test,
    value: 'bytes_sec * 8 / 1e6',
    prefilterRule: 'keeps speeds above 0 and up to 20 Gbit/s',
    // Twice the speed of the fastest phones.
    prefilter: 'bytes_sec > 0 AND bytes_sec <= 2500000000',
    ownFields: [...ownFields, 'threads'],
  });
}
