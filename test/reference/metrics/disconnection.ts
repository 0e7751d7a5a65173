import type { MetricDefinitions } from '../metric-definition.ts';
import { all, isPositiveUpTo, seconds } from '../metric-terms.ts';

export const disconnectionMetrics: MetricDefinitions = {
  disconnectionDuration: {
    test: 'udpcloss',
    everyHours: 1,
    isRatio: false,
    ownFields: ['ip_version'],
    exists: () => true,
    isPlausible: all(
      (c) => Number(c.packets) > 0,
      // A release has one month.
      isPositiveUpTo('duration', 31 * 24 * 3600 * 1e6),
    ),
    value: seconds('duration'),
    size: () => 1,
  },
};
