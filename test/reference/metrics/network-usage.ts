import type { MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { column } from '../metric-terms.ts';

/** The household's own traffic, without the traffic of our tests. */
const usageOf = (direction: 'rx' | 'tx'): MetricDefinition => {
  const wanBytes = column(`wan_${direction}_bytes`);
  const testBytes = column(`sk_${direction}_bytes`);
  return {
    test: 'network_usage',
    everyHours: 1,
    isRatio: false,
    ownFields: [],
    exists: () => true,
    isPlausible: (c) =>
      wanBytes(c) >= 0 && testBytes(c) >= 0 && wanBytes(c) >= testBytes(c) && wanBytes(c) <= 1e11,
    value: (c) => (wanBytes(c) - testBytes(c)) / 1e6,
    size: () => 1,
  };
};

export const networkUsageMetrics: MetricDefinitions = {
  networkUsageDown: usageOf('rx'),
  networkUsageUp: usageOf('tx'),
};
