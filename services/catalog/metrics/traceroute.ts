import { metric, type Metric } from '../metric.ts';

export const tracerouteMetrics: readonly Metric[] = [
  metric({
    key: 'tracerouteHops',
    unit: 'count',
    description: 'Routers on the way to a server, itself included',
    test: 'traceroute',
    // Of the last row: a route is one result.
    value: 'hop',
    existsWhen: 'successes > 0',
    prefilter: 'hop > 0 AND hop <= 64',
    everyHours: 6,
    ownFields: ['ip_version', 'protocol'],
  }),
];
