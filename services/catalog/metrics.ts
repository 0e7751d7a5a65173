import type { Metric } from './metric.ts';
import { cellMetrics } from './metrics/cells.ts';
import { dnsMetrics } from './metrics/dns.ts';
import { jitterMetrics } from './metrics/jitter.ts';
import { latencyMetrics } from './metrics/latency.ts';
import { mobileMetrics } from './metrics/mobile.ts';
import { networkUsageMetrics } from './metrics/network-usage.ts';
import { panelMetrics } from './metrics/panel.ts';
import { speedMetrics } from './metrics/speed.ts';
import { tracerouteMetrics } from './metrics/traceroute.ts';
import { videoMetrics } from './metrics/video.ts';
import { webMetrics } from './metrics/web.ts';

/** All metrics, in the order of GET /metrics. */
export const metrics: readonly Metric[] = [
  ...speedMetrics,
  ...latencyMetrics,
  ...jitterMetrics,
  ...dnsMetrics,
  ...webMetrics,
  ...videoMetrics,
  ...networkUsageMetrics,
  ...tracerouteMetrics,
  ...panelMetrics,
  ...cellMetrics,
  ...mobileMetrics,
];

const byName = new Map(
  metrics.flatMap((metric) =>
    [metric.key, ...metric.aliases].map((name) => [name, metric] as const),
  ),
);

/** Finds a metric by key or alias: `httpgetmt` is `httpget`. */
export function findMetric(name: string): Metric | undefined {
  return byName.get(name);
}
