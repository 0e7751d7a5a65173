import type { MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { column, milliseconds, succeeded, valueOfSuccess } from '../metric-terms.ts';

const jitterOf = (direction: 'down' | 'up'): MetricDefinition => {
  const sent = column(`packets_${direction}_sent`);
  const received = column(`packets_${direction}_recv`);
  const jitter = column(`jitter_${direction}`);
  return {
    ...valueOfSuccess,
    test: 'jitter',
    everyHours: 1,
    ownFields: ['ip_version', 'packet_size', 'stream_rate'],
    exists: (c) => succeeded(c) && received(c) > 0,
    isPlausible: (c) => received(c) >= 50 && received(c) * 2 >= sent(c) && jitter(c) <= 300_000,
    value: milliseconds(`jitter_${direction}`),
  };
};

export const jitterMetrics: MetricDefinitions = {
  jitterDown: jitterOf('down'),
  jitterUp: jitterOf('up'),
};
