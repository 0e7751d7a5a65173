import { onceIn, type SampleTest } from '../sample-test.ts';
import { targetColumns, targetValues } from './targets.ts';

const roundTripColumns = {
  ip_version: 'ip_version_used',
  rtt_avg: 'toUInt32(fastest + spread)',
  rtt_min: 'toUInt32(fastest)',
  rtt_max: 'toUInt32(fastest + spread * 4 + u3 * 20000 * (fault != 1))',
  rtt_std: 'toUInt32(spread * 0.8)',
  successes: 'packets_sent - packets_lost',
  failures: 'packets_lost',
};

/** UDP, hourly. */
export const latency: SampleTest = {
  key: 'latency',
  schedule: `kind = 'whitebox' OR kind = 'cpe' AND ${onceIn(2)} OR kind = 'web' AND ${onceIn(12)}`,
  endsAfterS: 60,
  values: {
    ...targetValues('if(has_ipv6 AND run_hash % 4 = 0, 6, 4)'),
    ...roundTripValues('1', 600),
  },
  columns: { ...targetColumns, ...roundTripColumns, line_load: "'idle'" },
};

/** ICMP, on an idle line and under load in one direction. `run`: the load. */
export const ping: SampleTest = {
  key: 'ping',
  schedule: `kind = 'whitebox' AND ${onceIn(12, 'ping')}`,
  endsAfterS: 90,
  rows: "['idle', 'download', 'upload']",
  values: {
    ...targetValues('4'),
    ...roundTripValues("multiIf(run = 'download', 2.6, run = 'upload', 4.1, 1)", 100),
  },
  columns: { ...targetColumns, ...roundTripColumns, line_load: 'run' },
};

/** Faults that the FCC excludes: no round trip, too few packets, too much variation, too much loss. */
function roundTripValues(factor: string, packets: number): Readonly<Record<string, string>> {
  return {
    received: 'NOT failed AND fault != 1',
    fastest: `received * rtt_us * ${factor} * if(is_far, 6, 1) * (0.95 + 0.1 * u1) * (1 + again / 100)`,
    spread: `received * (rtt_us * ${factor} * (0.04 + 0.5 * busy * u2 * u2) + if(fault = 3, 400000, 0))`,
    packets_sent: `if(fault = 2, 20, ${packets})`,
    packets_lost: `toUInt32(multiIf(failed, packets_sent, fault = 4, packets_sent * 0.6, packets_sent * 0.01 * u4 * u4 * u4 * (0.3 + 3 * busy)))`,
  };
}

/** UDP in both directions at the rate of a voice call. */
export const jitter: SampleTest = {
  key: 'jitter',
  schedule: `kind IN ('whitebox', 'cpe') AND ${onceIn(6, 'jitter')}`,
  endsAfterS: 110,
  values: {
    ...targetValues('4'),
    lost_up: 'toUInt32(multiIf(failed, 500, fault = 2, 480, 5 * u3 * u3 * (0.2 + 2 * busy)))',
    lost_down: 'toUInt32(multiIf(failed, 500, fault = 2, 480, 4 * u4 * u4 * (0.2 + 2 * busy)))',
    wander: 'NOT failed AND fault != 1',
  },
  columns: {
    ...targetColumns,
    ip_version: '4',
    packet_size: '160',
    stream_rate: '64000',
    duration: '10000000 + toUInt64(u1 * 40000)',
    packets_up_sent: '500',
    packets_down_sent: '500',
    packets_up_recv: '500 - lost_up',
    packets_down_recv: '500 - lost_down',
    jitter_up:
      'toUInt32(wander * rtt_us * (0.05 + 0.12 * u1 + 0.2 * busy * u2) + if(fault = 3, 5000000, 0))',
    jitter_down:
      'toUInt32(wander * rtt_us * (0.03 + 0.08 * u2 + 0.15 * busy * u1) * (1 + again / 100))',
    latency: 'toUInt32(wander * rtt_us * if(is_far, 6, 1) * (1 + 0.2 * u4))',
    successes: 'NOT failed',
    failures: 'failed',
  },
};

/** Consecutive lost packets of the latency test, which sends one every 1.5 seconds. Few lines lose many. */
export const disconnections: SampleTest = {
  key: 'udpcloss',
  schedule: `kind IN ('whitebox', 'cpe')
      AND cityHash64(agent_hash, slot, 'disconnected') % 1000 < if(agent_hash % 10 = 0, 120, 12)`,
  endsAfterS: 240,
  values: {
    ...targetValues('4'),
    lost: 'toUInt32(2 + 3 * exp(1.3 * noise) * (1 + busy))',
  },
  columns: {
    ...targetColumns,
    ip_version: '4',
    // A fault: a device that counts lost packets but no time.
    duration: 'toUInt64(if(fault > 0, 0, lost * 1500000 * (1 + again / 100) + u1 * 2000))',
    packets: 'lost',
  },
};

/** The resolver of the ISP and a public one. `run`: 1 is the ISP's. */
export const dns: SampleTest = {
  key: 'dns',
  schedule: `kind IN ('whitebox', 'cpe') AND ${onceIn(4, 'dns')}`,
  endsAfterS: 5,
  rows: '[1, 2]',
  values: {
    lookup_failed: 'failed OR h % 61 = 0',
    queries_ipv6: 'has_ipv6 AND intDiv(run_hash, 4) % 2 = 0',
    // A name that is not in the resolver's cache takes longer.
    uncached_us: 'if(u4 < 0.15, 30000 + 90000 * u3, 0)',
  },
  columns: {
    nameserver:
      "if(run = 1, concat('198.51.100.', toString(cityHash64(carrier) % 250 + 1)), '9.9.9.9')",
    lookup_host:
      "['www.news.example', 'cdn.video.example', 'shop.example', 'mail.example'][1 + run_hash % 4]",
    record_type: "if(queries_ipv6, 'AAAA', 'A')",
    response_ip:
      "multiIf(lookup_failed, '', queries_ipv6, '2001:db8:53::7', concat('203.0.113.', toString(1 + run_hash % 4)))",
    rtt: `toUInt32(multiIf(lookup_failed OR fault = 1, 0, fault >= 2, 60000000, (rtt_us * (0.9 + 0.4 * u1) * if(run = 1, 1, 1.5) + uncached_us) * (1 + again / 100)))`,
    successes: 'NOT lookup_failed',
    failures: 'lookup_failed',
    ip_version: '4',
  },
};
