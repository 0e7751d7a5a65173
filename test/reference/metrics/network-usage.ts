import type { MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { column } from '../metric-terms.ts';

/** Of the household alone: without what our own tests sent or received. */
const usageOf = (direction: 'rx' | 'tx'): MetricDefinition => {
  const onLine = column(`wan_${direction}_bytes`);
  const ofTests = column(`sk_${direction}_bytes`);
  return {
    test: 'network_usage',
    everyHours: 1,
    isRatio: false,
    ownFields: [],
    exists: () => true,
    isPlausible: (c) =>
      onLine(c) >= 0 && ofTests(c) >= 0 && onLine(c) >= ofTests(c) && onLine(c) <= 1e11,
    value: (c) => (onLine(c) - ofTests(c)) / 1e6,
    size: () => 1,
  };
};

export const networkUsageMetrics: MetricDefinitions = {
  networkUsageDown: usageOf('rx'),
  networkUsageUp: usageOf('tx'),
};
