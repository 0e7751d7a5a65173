import { metric, type Metric } from '../metric.ts';

/** Runs of consecutive UDP packets that were lost. */
export const disconnectionMetrics: readonly Metric[] = [
  metric({
    key: 'disconnectionDuration',
    name: 'Duration of disconnections',
    keywords: ['outage', 'availability', 'reliability', 'packet loss', 'number of disconnections'],
    unit: 's',
    better: 'lower',
    description:
      'How long a disconnection lasted: consecutive UDP packets lost on an idle line. Each ' +
      'disconnection is one result, so sampleCount is their number; an agent without disconnections ' +
      'has no results',
    test: 'udpcloss',
    value: 'duration / 1e6',
    existsWhen: '1',
    prefilterRule:
      'keeps disconnections with a lost packet and a duration above 0 and up to 31 days; longer ones are errors of the clock',
    prefilter: 'packets > 0 AND duration > 0 AND duration <= 2678400000000',
    everyHours: 1,
    ownFields: ['ip_version'],
  }),
];
