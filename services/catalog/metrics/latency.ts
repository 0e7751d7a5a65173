import { failureRate, metric, type Metric } from '../metric.ts';

// The FCC's rules: a round trip under 0.05 ms did not leave the house, and a spread over 300 ms means
// that the device was busy.
const plausibleRoundTrips = 'rtt_min >= 50 AND rtt_max - rtt_min <= 300000';
const mostlyAnswered = 'failures <= successes';
const ownFields = ['ip_version'];

/** Round trips and loss, by UDP over an hour and by ICMP in a burst. */
export const latencyMetrics: readonly Metric[] = [
  metric({
    key: 'udpLatency',
    unit: 'ms',
    description: 'Round trip by UDP, mean over an hour, on an idle line',
    test: 'latency',
    value: 'rtt_avg / 1000',
    existsWhen: "successes > 0 AND line_load = 'idle'",
    prefilter: `successes >= 50 AND failures * 10 <= successes + failures AND ${plausibleRoundTrips}`,
    everyHours: 1,
    ownFields,
  }),
  failureRate({
    key: 'udpPacketLoss',
    description: 'UDP packets lost, over an hour, on an idle line',
    test: 'latency',
    numerator: 'failures',
    denominator: '(successes + failures)',
    onlyWhen: "line_load = 'idle'",
    // No limit on loss below 50 %: loss is what is measured.
    prefilter: `successes >= 50 AND ${mostlyAnswered}`,
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'pingAvg',
    unit: 'ms',
    description: 'Round trip by ICMP on an idle line',
    test: 'ping',
    value: 'rtt_avg / 1000',
    existsWhen: "successes > 0 AND line_load = 'idle'",
    prefilter: `${mostlyAnswered} AND ${plausibleRoundTrips}`,
    everyHours: 1,
    ownFields,
  }),
  failureRate({
    key: 'pingLoss',
    description: 'ICMP packets lost on an idle line',
    test: 'ping',
    numerator: 'failures',
    denominator: '(successes + failures)',
    onlyWhen: "line_load = 'idle'",
    prefilter: mostlyAnswered,
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'pingDownload',
    unit: 'ms',
    description: 'Round trip by ICMP while the line is downloading',
    test: 'ping',
    value: 'rtt_avg / 1000',
    existsWhen: "successes > 0 AND line_load = 'download'",
    // Under load, a wide spread is a valid result.
    prefilter: `${mostlyAnswered} AND rtt_min >= 50`,
    everyHours: 1,
    ownFields,
  }),
  metric({
    key: 'pingUpload',
    unit: 'ms',
    description: 'Round trip by ICMP while the line is uploading',
    test: 'ping',
    value: 'rtt_avg / 1000',
    existsWhen: "successes > 0 AND line_load = 'upload'",
    prefilter: `${mostlyAnswered} AND rtt_min >= 50`,
    everyHours: 1,
    ownFields,
  }),
];
