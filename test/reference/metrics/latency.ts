import type { Columns, MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import {
  all,
  attempts,
  failureRate,
  isMostlyAnswered,
  leftTheHouse,
  milliseconds,
  succeeded,
  valueOfSuccess,
} from '../metric-terms.ts';

const udp = { test: 'latency', everyHours: 1, ownFields: ['ip_version'] } as const;
const icmp = { ...udp, test: 'ping' } as const;
const roundTrip = { ...valueOfSuccess, value: milliseconds('rtt_avg') };

const isOn = (lineLoad: string) => (c: Columns) => c.line_load === lineLoad;
const hasEnoughPackets = (c: Columns) => Number(c.successes) >= 50;
const losesUpToATenth = (c: Columns) => Number(c.failures) * 10 <= attempts(c);
const isSteady = (c: Columns) => Number(c.rtt_max) - Number(c.rtt_min) <= 300_000;

/** The line is busy on purpose, so its round trips may differ as they like. */
const underLoad = (lineLoad: string): MetricDefinition => ({
  ...icmp,
  ...roundTrip,
  exists: all(succeeded, isOn(lineLoad)),
  isPlausible: all(isMostlyAnswered, leftTheHouse),
});

export const latencyMetrics: MetricDefinitions = {
  udpLatency: {
    ...udp,
    ...roundTrip,
    exists: all(succeeded, isOn('idle')),
    isPlausible: all(hasEnoughPackets, losesUpToATenth, leftTheHouse, isSteady),
  },
  udpPacketLoss: {
    ...udp,
    ...failureRate,
    exists: all(failureRate.exists, isOn('idle')),
    isPlausible: all(hasEnoughPackets, isMostlyAnswered),
  },
  pingAvg: {
    ...icmp,
    ...roundTrip,
    exists: all(succeeded, isOn('idle')),
    // A burst of a few packets: neither their number nor a tenth of them says anything.
    isPlausible: all(isMostlyAnswered, leftTheHouse, isSteady),
  },
  pingLoss: {
    ...icmp,
    ...failureRate,
    exists: all(failureRate.exists, isOn('idle')),
    isPlausible: isMostlyAnswered,
  },
  pingDownload: underLoad('download'),
  pingUpload: underLoad('upload'),
};
