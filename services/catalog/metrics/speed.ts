import { metric, type Metric } from '../metric.ts';

// 100 Gbit/s: no line or device of a panel is that fast.
const plausible = (column: string) => `${column} > 0 AND ${column} <= 12500000000`;
const plausibleSpeed = plausible('bytes_sec');
const ownFields = ['threads', 'ip_version'];

/** Download and upload over HTTP. */
export const speedMetrics: readonly Metric[] = [
  metric({
    key: 'httpget',
    name: 'Download speed',
    keywords: ['broadband speed', 'throughput'],
    aliases: ['httpgetmt'],
    unit: 'mbps',
    better: 'higher',
    description: 'Download speed over HTTP, the mean of the whole test without warm-up',
    test: 'httpget',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: plausibleSpeed,
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httpget_sustained',
    name: 'Sustained download speed',
    keywords: ['broadband speed', 'throughput', 'last interval', 'without burst'],
    unit: 'mbps',
    better: 'higher',
    description:
      'Speed in the last interval of a download (bytes_sec_interval), which the FCC calls ' +
      'sustained speed: before 2013 the last 5 seconds of a test of 30, since then the whole test',
    test: 'httpget',
    value: 'bytes_sec_interval * 8 / 1e6',
    // 0: the device does not report intervals.
    existsWhen: 'successes > 0 AND bytes_sec_interval != 0',
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: plausible('bytes_sec_interval'),
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httpget_retrans',
    name: 'Retransmissions while downloading',
    keywords: ['packet loss', 'tcp'],
    unit: 'count',
    better: 'lower',
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
    better: 'higher',
    description: 'Upload speed over HTTP, the mean of the whole test without warm-up',
    test: 'httppost',
    value: 'bytes_sec * 8 / 1e6',
    existsWhen: 'successes > 0',
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: plausibleSpeed,
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httppost_sustained',
    name: 'Sustained upload speed',
    keywords: ['broadband speed', 'throughput', 'last interval', 'without burst'],
    unit: 'mbps',
    better: 'higher',
    description:
      'Speed in the last interval of an upload (bytes_sec_interval), which the FCC calls ' +
      'sustained speed: before 2013 the last 5 seconds of a test of 30, since then the whole test',
    test: 'httppost',
    value: 'bytes_sec_interval * 8 / 1e6',
    // 0: the device does not report intervals.
    existsWhen: 'successes > 0 AND bytes_sec_interval != 0',
    prefilterRule: 'keeps speeds above 0 and up to 100 Gbit/s',
    prefilter: plausible('bytes_sec_interval'),
    everyHours: 2,
    ownFields,
  }),
  metric({
    key: 'httppost_retrans',
    name: 'Retransmissions while uploading',
    keywords: ['packet loss', 'tcp'],
    unit: 'count',
    better: 'lower',
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
