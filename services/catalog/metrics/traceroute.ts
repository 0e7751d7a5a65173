import { metric, type Metric } from '../metric.ts';

export const tracerouteMetrics: readonly Metric[] = [
  metric({
    key: 'tracerouteHops',
    name: 'Hops to a server',
    keywords: ['route', 'path', 'traceroute'],
    unit: 'count',
    better: null,
    description: 'Number of hops to a server, including the server',
    test: 'traceroute',
    // The hop of the last row: a route is one result.
    value: 'hop',
    prefilterRule: 'keeps routes of 1 to 64 hops',
    prefilter: 'hop > 0 AND hop <= 64',
    everyHours: 6,
    ownFields: ['ip_version', 'protocol'],
  }),
];
