import type { Columns, MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import {
  all,
  attempts,
  failureRate,
  isMostlySuccessful,
  leftHomeNetwork,
  milliseconds,
  valueOfSuccess,
} from '../metric-terms.ts';

const udp = { test: 'latency', everyHours: 1, ownFields: ['ip_version'] } as const;
const icmp = { ...udp, test: 'ping' } as const;
const roundTrip = { ...valueOfSuccess, value: milliseconds('rtt_avg') };

const isOn = (lineLoad: string) => (c: Columns) => c.line_load === lineLoad;
const hasEnoughPackets = (c: Columns) => Number(c.successes) >= 50;
const losesUpToATenth = (c: Columns) => Number(c.failures) * 10 <= attempts(c);
const isSteady = (c: Columns) => Number(c.rtt_max) - Number(c.rtt_min) <= 300_000;

/** The test loads the line on purpose, so round trips may vary. */
const underLoad = (lineLoad: string): MetricDefinition => ({
  ...icmp,
  ...roundTrip,
  concerns: isOn(lineLoad),
  isPlausible: all(isMostlySuccessful, leftHomeNetwork),
});

export const latencyMetrics: MetricDefinitions = {
  udpLatency: {
    ...udp,
    ...roundTrip,
    concerns: isOn('idle'),
    isPlausible: all(hasEnoughPackets, losesUpToATenth, leftHomeNetwork, isSteady),
  },
  udpPacketLoss: {
    ...udp,
    ...failureRate,
    concerns: isOn('idle'),
    isPlausible: (c: Columns) => attempts(c) >= 50 && attempts(c) <= 100_000,
  },
  pingAvg: {
    ...icmp,
    ...roundTrip,
    concerns: isOn('idle'),
    // A few packets only: a minimum number or a loss of a tenth is meaningless.
    isPlausible: all(isMostlySuccessful, leftHomeNetwork, isSteady),
  },
  pingLoss: {
    ...icmp,
    ...failureRate,
    concerns: isOn('idle'),
    isPlausible: (c: Columns) => attempts(c) <= 1000,
  },
  pingDownload: underLoad('download'),
  pingUpload: underLoad('upload'),
};
