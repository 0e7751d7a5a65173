import { metric, type Metric } from '../metric.ts';

/** A paced UDP stream, such as a voice call, in both directions. */
export const jitterMetrics: readonly Metric[] = [
  jitter('jitterDown', 'downstream', 'down'),
  jitter('jitterUp', 'upstream', 'up'),
];

function jitter(key: string, direction: 'downstream' | 'upstream', of: 'down' | 'up'): Metric {
  const received = `packets_${of}_recv`;
  return metric({
    key,
    name: `Jitter, ${direction}`,
    keywords: ['delay variation', 'voip', 'call quality'],
    unit: 'ms',
    better: 'lower',
    description: `${direction === 'upstream' ? 'Upstream' : 'Downstream'} jitter of a UDP stream`,
    test: 'jitter',
    value: `jitter_${of} / 1000`,
    existsWhen: `successes > 0 AND ${received} > 0`,
    prefilterRule:
      'keeps streams with at least 50 packets received, at most half lost and at most 300 ms of jitter',
    // Like the FCC's rules for latency: at least 50 packets, at most half lost, at most 300 ms.
    prefilter: `${received} >= 50 AND ${received} * 2 >= packets_${of}_sent AND jitter_${of} <= 300000`,
    ownFields: ['ip_version', 'packet_size', 'stream_rate'],
  });
}
