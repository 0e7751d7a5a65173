import type { MetricDefinitions } from '../metric-definition.ts';
import {
  attempts,
  failureRate,
  isPositiveUpTo,
  milliseconds,
  valueOfSuccess,
} from '../metric-terms.ts';

const dns = {
  test: 'dns',
  everyHours: 1,
  ownFields: ['nameserver', 'lookup_host', 'record_type', 'ip_version'],
} as const;

export const dnsMetrics: MetricDefinitions = {
  dnsResponse: {
    ...dns,
    ...valueOfSuccess,
    isPlausible: isPositiveUpTo('rtt', 10_000_000),
    value: milliseconds('rtt'),
  },
  dnsFail: { ...dns, ...failureRate, isPlausible: (c) => attempts(c) <= 1000 },
};
