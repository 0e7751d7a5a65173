import { metric, type Metric } from '../metric.ts';

const ownFields = ['ip_version', 'packet_size', 'stream_rate'];

/** A paced UDP stream, such as a voice call, in both directions. */
export const jitterMetrics: readonly Metric[] = [
  metric({
    key: 'jitterDown',
    name: 'Jitter, downstream',
    keywords: ['delay variation', 'voip', 'call quality'],
    unit: 'ms',
    better: 'lower',
    description: 'Downstream jitter of a UDP stream',
    test: 'jitter',
    value: 'jitter_down / 1000',
    existsWhen: 'successes > 0 AND packets_down_recv > 0',
    prefilterRule:
      'keeps streams with at least 50 packets received, at most half lost and at most 300 ms of jitter',
    // Like the FCC's rules for latency: at least 50 packets, at most half lost, at most 300 ms.
    prefilter:
      'packets_down_recv >= 50 AND packets_down_recv * 2 >= packets_down_sent AND jitter_down <= 300000',
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'jitterUp',
    name: 'Jitter, upstream',
    keywords: ['delay variation', 'voip', 'call quality'],
    unit: 'ms',
    better: 'lower',
    description: 'Upstream jitter of a UDP stream',
    test: 'jitter',
    value: 'jitter_up / 1000',
    existsWhen: 'successes > 0 AND packets_up_recv > 0',
    prefilterRule:
      'keeps streams with at least 50 packets received, at most half lost and at most 300 ms of jitter',
    prefilter:
      'packets_up_recv >= 50 AND packets_up_recv * 2 >= packets_up_sent AND jitter_up <= 300000',
    everyHours: 1,
    ownFields,
  }),
];
