import type { MetricDefinitions } from '../metric-definition.ts';
import { column, isPositiveUpTo, valueOfSuccess } from '../metric-terms.ts';

export const tracerouteMetrics: MetricDefinitions = {
  tracerouteHops: {
    ...valueOfSuccess,
    test: 'traceroute',
    everyHours: 6,
    ownFields: ['ip_version', 'protocol'],
    isPlausible: isPositiveUpTo('hop', 64),
    // The result is the last row of the route, so its hop is the number of hops.
    value: column('hop'),
  },
};
