import { failureRate, metric, type Metric } from '../metric.ts';

// The FCC's rules: a round trip under 0.05 ms did not leave the house, and a spread over 300 ms means
// that the device was busy.
const plausibleRoundTrips = 'rtt_min >= 50 AND rtt_max - rtt_min <= 300000';
const mostlyAnswered = 'failures <= successes';
const ownFields = ['ip_version'];

/** Round trips and loss, by UDP over an hour and by ICMP in a burst, and runs of UDP packets that were lost. */
export const latencyMetrics: readonly Metric[] = [
  metric({
    key: 'udpLatency',
    name: 'Latency (UDP)',
    keywords: ['round trip', 'ping', 'delay', 'rtt'],
    unit: 'ms',
    better: 'lower',
    description: 'Round trip by UDP, mean over an hour, on an idle line',
    test: 'latency',
    value: 'rtt_avg / 1000',
    onlyWhen: "line_load = 'idle'",
    prefilterRule:
      'keeps hours with at least 50 answered packets, at most 10 % loss, a shortest round trip of at least 0.05 ms and a spread of at most 300 ms',
    prefilter: `successes >= 50 AND failures * 10 <= successes + failures AND ${plausibleRoundTrips}`,
    ownFields,
  }),
  failureRate({
    key: 'udpPacketLoss',
    name: 'Packet loss (UDP)',
    keywords: ['outage', 'availability'],
    description: 'UDP packets lost, over an hour, on an idle line',
    test: 'latency',
    onlyWhen: "line_load = 'idle'",
    prefilterRule:
      'drops hours with fewer than 50 or more than 100,000 packets sent, which only a faulty device has; outages stay',
    // About 2,000 packets are sent in an hour.
    prefilter: '(successes + failures) >= 50 AND (successes + failures) <= 100000',
    ownFields,
  }),
  metric({
    key: 'pingAvg',
    name: 'Latency (ping)',
    keywords: ['round trip', 'delay', 'rtt', 'icmp'],
    unit: 'ms',
    better: 'lower',
    description: 'Round trip by ICMP on an idle line',
    test: 'ping',
    value: 'rtt_avg / 1000',
    onlyWhen: "line_load = 'idle'",
    prefilterRule:
      'keeps tests with at most half of the packets lost, a shortest round trip of at least 0.05 ms and a spread of at most 300 ms',
    prefilter: `${mostlyAnswered} AND ${plausibleRoundTrips}`,
    ownFields,
  }),
  failureRate({
    key: 'pingLoss',
    name: 'Packet loss (ping)',
    keywords: ['outage', 'availability', 'icmp'],
    description: 'ICMP packets lost on an idle line',
    test: 'ping',
    onlyWhen: "line_load = 'idle'",
    prefilterRule:
      'drops tests with more than 1,000 packets, which only a faulty device has; outages stay',
    prefilter: '(successes + failures) <= 1000',
    ownFields,
  }),
  underLoad('pingDownload', 'download'),
  underLoad('pingUpload', 'upload'),
  metric({
    key: 'disconnectionDuration',
    name: 'Duration of disconnections',
    keywords: ['outage', 'availability', 'reliability', 'packet loss', 'number of disconnections'],
    unit: 's',
    better: 'lower',
    description:
      'How long a disconnection lasted: consecutive UDP packets lost on an idle line. Each ' +
      'disconnection is one result, so sampleCount is their number; an agent without disconnections ' +
      'has no results',
    test: 'udpcloss',
    value: 'duration / 1e6',
    existsWhen: '1',
    prefilterRule:
      'keeps disconnections with a lost packet and a duration above 0 and up to 31 days; longer ones are errors of the clock',
    prefilter: 'packets > 0 AND duration > 0 AND duration <= 2678400000000',
    ownFields,
  }),
];

function underLoad(key: string, load: 'download' | 'upload'): Metric {
  return metric({
    key,
    name: `Latency while ${load}ing`,
    keywords: ['bufferbloat', 'latency under load', 'loaded latency', 'responsiveness'],
    unit: 'ms',
    better: 'lower',
    description: `Round trip by ICMP while the line is ${load}ing`,
    test: 'ping',
    value: 'rtt_avg / 1000',
    onlyWhen: `line_load = '${load}'`,
    prefilterRule:
      'keeps tests with at most half of the packets lost and a shortest round trip of at least 0.05 ms',
    // Under load, a wide spread is a valid result.
    prefilter: `${mostlyAnswered} AND rtt_min >= 50`,
    ownFields,
  });
}
