import { metric, type Metric } from '../metric.ts';

// 100 Gbit/s: no line or device of a panel is that fast.
const plausibleSpeed = 'bytes_sec > 0 AND bytes_sec <= 12500000000';
const ownFields = ['threads', 'ip_version'];

/** Download and upload over HTTP. */
export const speedMetrics: readonly Metric[] = [
  metric({
    key: 'httpget',
    name: 'Download speed',
    keywords: ['broadband speed', 'throughput'],
    aliases: ['httpgetmt'],
    unit: 'mbps',
    description: 'Download speed over HTTP',
    test: 'httpget',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: plausibleSpeed,
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httpget_retrans',
    name: 'Retransmissions while downloading',
    keywords: ['packet loss', 'tcp'],
    unit: 'count',
    description: 'TCP retransmissions during a download test',
    test: 'httpget',
    value: 'assumeNotNull(tcp_retransmissions)',
    existsWhen: 'successes > 0 AND isNotNull(tcp_retransmissions)',
    prefilterRule: 'keeps tests with a plausible speed and at most 1,000,000 retransmissions',
    prefilter: `${plausibleSpeed} AND tcp_retransmissions <= 1000000`,
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httppost',
    name: 'Upload speed',
    keywords: ['broadband speed', 'throughput'],
    aliases: ['httppostmt'],
    unit: 'mbps',
    description: 'Upload speed over HTTP',
    test: 'httppost',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: plausibleSpeed,
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httppost_retrans',
    name: 'Retransmissions while uploading',
    keywords: ['packet loss', 'tcp'],
    unit: 'count',
    description: 'TCP retransmissions during an upload test',
    test: 'httppost',
    value: 'assumeNotNull(tcp_retransmissions)',
    existsWhen: 'successes > 0 AND isNotNull(tcp_retransmissions)',
    prefilterRule: 'keeps tests with a plausible speed and at most 1,000,000 retransmissions',
    prefilter: `${plausibleSpeed} AND tcp_retransmissions <= 1000000`,
    everyHours: 2,
    ownFields,
  }),
];
