import type { Metric } from './metric.ts';
import { dnsMetrics } from './metrics/dns.ts';
import { jitterMetrics } from './metrics/jitter.ts';
import { latencyMetrics } from './metrics/latency.ts';
import { mobileMetrics } from './metrics/mobile.ts';
import { networkUsageMetrics } from './metrics/network-usage.ts';
import { speedMetrics } from './metrics/speed.ts';
import { tracerouteMetrics } from './metrics/traceroute.ts';
import { videoMetrics } from './metrics/video.ts';
import { webMetrics } from './metrics/web.ts';

/** Every metric there is, in the order GET /metrics lists them. */
export const metrics: readonly Metric[] = [
  ...speedMetrics,
  ...latencyMetrics,
  ...jitterMetrics,
  ...dnsMetrics,
  ...webMetrics,
  ...videoMetrics,
  ...networkUsageMetrics,
  ...tracerouteMetrics,
  ...mobileMetrics,
];

const byName = new Map(
  metrics.flatMap((metric) =>
    [metric.key, ...metric.aliases].map((name) => [name, metric] as const),
  ),
);

/** By key or other name: `httpgetmt` is `httpget`. */
export function findMetric(name: string): Metric | undefined {
  return byName.get(name);
}
