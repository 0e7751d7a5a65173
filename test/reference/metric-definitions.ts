import type { MetricDefinitions } from './metric-definition.ts';
import { cellMetrics } from './metrics/cells.ts';
import { disconnectionMetrics } from './metrics/disconnection.ts';
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

export const metricDefinitions: MetricDefinitions = {
  ...speedMetrics,
  ...latencyMetrics,
  ...disconnectionMetrics,
  ...jitterMetrics,
  ...dnsMetrics,
  ...webMetrics,
  ...videoMetrics,
  ...networkUsageMetrics,
  ...tracerouteMetrics,
  ...panelMetrics,
  ...cellMetrics,
  ...mobileMetrics,
};
