import type { MetricDefinitions } from '../metric-definition.ts';
import {
  attempts,
  failureRate,
  isPlausibleLoad,
  seconds,
  valueOfSuccess,
} from '../metric-terms.ts';

const webget = { test: 'webget', everyHours: 1, ownFields: ['ip_version'] } as const;

export const webMetrics: MetricDefinitions = {
  webgetAvg: {
    ...webget,
    ...valueOfSuccess,
    isPlausible: isPlausibleLoad,
    value: seconds('fetch_time'),
  },
  webgetFail: { ...webget, ...failureRate, isPlausible: (c) => attempts(c) <= 1000 },
};
