import { failureRate, metric, type Metric } from '../metric.ts';

const ownFields = ['nameserver', 'lookup_host', 'record_type', 'ip_version'];

/** Name resolution. */
export const dnsMetrics: readonly Metric[] = [
  metric({
    key: 'dnsResponse',
    unit: 'ms',
    description: 'Time a resolver takes to answer a query',
    test: 'dns',
    value: 'rtt / 1000',
    existsWhen: 'successes > 0',
    // Resolvers are given up on long before 10 s.
    prefilter: 'rtt > 0 AND rtt <= 10000000',
    everyHours: 1,
    ownFields,
  }),
  failureRate({
    key: 'dnsFail',
    description: 'DNS queries that were not answered',
    test: 'dns',
    numerator: 'failures',
    denominator: '(successes + failures)',
    // A row is one query, or a few; a counter in the thousands is a faulty device.
    prefilter: '(successes + failures) <= 1000',
    everyHours: 1,
    ownFields,
  }),
];
