import { failureRate, metric, type Metric } from '../metric.ts';

const ownFields = ['nameserver', 'lookup_host', 'record_type', 'ip_version'];

/** Name resolution. */
export const dnsMetrics: readonly Metric[] = [
  metric({
    key: 'dnsResponse',
    name: 'DNS response time',
    keywords: ['name resolution', 'resolver', 'lookup'],
    unit: 'ms',
    better: 'lower',
    description: 'Response time of a DNS resolver',
    test: 'dns',
    value: 'rtt / 1000',
    prefilterRule: 'keeps responses above 0 and up to 10 s',
    // Clients time out long before 10 s.
    prefilter: 'rtt > 0 AND rtt <= 10000000',
    ownFields,
  }),
  failureRate({
    key: 'dnsFail',
    name: 'DNS failures',
    keywords: ['name resolution', 'resolver', 'availability'],
    description: 'DNS queries without a response',
    test: 'dns',
    prefilterRule:
      'drops results with more than 1,000 queries, which only a faulty device has; failures stay',
    // A row has one query or a few; thousands indicate a faulty device.
    prefilter: '(successes + failures) <= 1000',
    ownFields,
  }),
];
