import { metric, type Metric } from '../metric.ts';

const plausible = 'keeps speeds above 0 and up to 100 Gbit/s';

/** Download and upload over HTTP. */
export const speedMetrics: readonly Metric[] = [
  ...ofTest('httpget', 'Download', 'a download'),
  ...ofTest('httppost', 'Upload', 'an upload'),
];

function ofTest(test: 'httpget' | 'httppost', name: string, one: string): readonly Metric[] {
  const common = { test, everyHours: 2, ownFields: ['threads', 'ip_version'] } as const;
  return [
    metric({
      ...common,
      key: test,
      name: `${name} speed`,
      keywords: ['broadband speed', 'throughput'],
      aliases: [`${test}mt`],
      unit: 'mbps',
      better: 'higher',
      description: `${name} speed over HTTP, the mean of the whole test without warm-up`,
      value: 'bytes_sec * 8 / 1e6',
      prefilterRule: plausible,
      prefilter: isPlausible('bytes_sec'),
    }),
    metric({
      ...common,
      key: `${test}_sustained`,
      name: `Sustained ${name.toLowerCase()} speed`,
      keywords: ['broadband speed', 'throughput', 'last interval', 'without burst'],
      unit: 'mbps',
      better: 'higher',
      description:
        `Speed in the last interval of ${one} (bytes_sec_interval), which the FCC calls ` +
        'sustained speed: before 2013 the last 5 seconds of a test of 30, since then the whole test',
      value: 'bytes_sec_interval * 8 / 1e6',
      // 0: the device does not report intervals.
      existsWhen: 'successes > 0 AND bytes_sec_interval != 0',
      prefilterRule: plausible,
      prefilter: isPlausible('bytes_sec_interval'),
    }),
    metric({
      ...common,
      key: `${test}_retrans`,
      name: `Retransmissions while ${name.toLowerCase()}ing`,
      keywords: ['packet loss', 'tcp'],
      unit: 'count',
      better: 'lower',
      description: `TCP retransmissions during ${one} test`,
      value: 'assumeNotNull(tcp_retransmissions)',
      existsWhen: 'successes > 0 AND isNotNull(tcp_retransmissions)',
      prefilterRule: 'keeps tests with a plausible speed and at most 1,000,000 retransmissions',
      prefilter: `${isPlausible('bytes_sec')} AND tcp_retransmissions <= 1000000`,
    }),
  ];
}

// 100 Gbit/s: no line or device of a panel is that fast.
function isPlausible(column: string): string {
  return `${column} > 0 AND ${column} <= 12500000000`;
}
