import { failureRate, metric, type Metric } from '../metric.ts';

const ownFields = ['nameserver', 'lookup_host', 'record_type', 'ip_version'];

/** Name resolution. */
export const dnsMetrics: readonly Metric[] = [
  metric({
    key: 'dnsResponse',
    unit: 'ms',
    description: 'Response time of a DNS resolver',
    test: 'dns',
    value: 'rtt / 1000',
    existsWhen: 'successes > 0',
    // Clients time out long before 10 s.
    prefilter: 'rtt > 0 AND rtt <= 10000000',
    everyHours: 1,
    ownFields,
  }),
  failureRate({
    key: 'dnsFail',
    description: 'DNS queries without a response',
    test: 'dns',
    numerator: 'failures',
    denominator: '(successes + failures)',
    // A row has one query or a few; thousands indicate a faulty device.
    prefilter: '(successes + failures) <= 1000',
    everyHours: 1,
    ownFields,
  }),
];
