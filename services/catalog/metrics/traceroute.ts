import { metric, type Metric } from '../metric.ts';

export const tracerouteMetrics: readonly Metric[] = [
  metric({
    key: 'tracerouteHops',
    unit: 'count',
    description: 'Number of hops to a server, including the server',
    test: 'traceroute',
    // The hop of the last row: a route is one result.
    value: 'hop',
    existsWhen: 'successes > 0',
    prefilter: 'hop > 0 AND hop <= 64',
    everyHours: 6,
    ownFields: ['ip_version', 'protocol'],
  }),
];
