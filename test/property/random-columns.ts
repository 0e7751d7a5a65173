import type { Row, TestName } from '../reference/panel.ts';
import type { Random } from './random.ts';

type Columns = Row['columns'];

/** The rows of one test: one, or several for a download in sequences. About a tenth is implausible. */
export function randomColumns(random: Random, test: TestName): readonly Columns[] {
  return generators[test](random);
}

const generators: Readonly<Record<TestName, (random: Random) => readonly Columns[]>> = {
  httpget: (random) => {
    const test = {
      ...server(random),
      threads: random.pick([1, 3, 8]),
    };
    const rowCount = random.chance(0.12) ? random.between(2, 3) : 1;
    const rows = Array.from({ length: rowCount }, (_, sequence) => ({
      ...test,
      sequence,
      bytes_sec: bytesPerSecond(random, 20_000_000_000),
      tcp_retransmissions: random.pick([null, 0, 3, random.between(0, 500), 2_000_000]),
      ...outcome(random),
    }));
    return random.chance(0.5) ? rows : rows.reverse();
  },
  dns: (random) => [
    {
      nameserver: random.pick(['192.0.2.53', '2001:db8::53']),
      lookup_host: random.pick(['example.com', 'www.example.org']),
      record_type: random.pick(['A', 'AAAA']),
      ip_version: random.pick([4, 6]),
      rtt: random.chance(0.05) ? random.pick([0, 10_000_001]) : random.between(900, 90_000),
      successes: random.chance(0.05) ? 2000 : random.between(0, 6),
      failures: random.chance(0.6) ? 0 : random.between(0, 4),
    },
  ],
  latency: (random) => {
    const fastest = random.chance(0.05) ? 49 : random.between(4000, 40_000);
    return [
      {
        ...server(random),
        line_load: random.pick(['idle', 'idle', 'idle', 'download']),
        rtt_min: fastest,
        rtt_avg: fastest + random.between(0, 9000),
        rtt_max: fastest + random.pick([10_000, 20_000, 300_000, 300_001]),
        successes: random.pick([0, 49, 50, 500, random.between(50, 2000)]),
        failures: random.pick([0, 0, 5, 6, 60, random.between(0, 100)]),
      },
    ];
  },
  jitter: (random) => [
    {
      ...server(random),
      packet_size: random.pick([160, 1200]),
      stream_rate: 64_000,
      packets_down_sent: 500,
      packets_down_recv: random.pick([500, 499, 250, 249, 49, 0]),
      jitter_down: random.chance(0.05) ? 300_001 : random.between(20, 9000),
      ...outcome(random),
    },
  ],
  network_usage: (random) => [
    {
      wan_rx_bytes: random.chance(0.05) ? -5_000_000 : random.between(0, 4_000_000_000),
      sk_rx_bytes: random.between(0, 60_000_000),
    },
  ],
  mobile_download: (random) => {
    const isWifi = random.chance(0.4);
    return [
      {
        ...server(random),
        threads: random.pick([1, 4]),
        manufacturer: random.pick(['Acme', 'Zeta']),
        model: random.pick(['A1', 'Z 9', '']),
        operating_system: random.pick(['Android', 'iOS']),
        operating_system_version: random.pick(['9', '10', '14.1']),
        geo_country: random.pick(['GB', 'NP', '']),
        connection_type: isWifi ? 'Wi-Fi' : 'Cellular',
        cellular_technology: isWifi ? '' : random.pick(['3G', '4G', '5G']),
        carrier_name: isWifi ? '' : random.pick(['Telia', 'O₂']),
        bytes_sec: bytesPerSecond(random, 2_500_000_001),
        ...outcome(random),
      },
    ];
  },
};

function server(random: Random): Columns {
  const [target, target_group] = random.pick([
    ['n1.example.net', 'onnet'],
    ['n2.example.net', 'onnet'],
    ['Offnet.example.org', 'offnet'],
    ['old.example.org', ''],
  ]);
  return { target: target, target_group: target_group, ip_version: random.pick([4, 4, 6]) };
}

function bytesPerSecond(random: Random, impossible: number): number {
  if (random.chance(0.08)) return random.pick([0, -12, impossible]);
  // Few different values, so that some results are equal.
  return random.chance(0.2) ? 1_250_000 : random.between(100_000, 120_000_000);
}

function outcome(random: Random): Columns {
  return random.chance(0.07) ? { successes: 0, failures: 1 } : { successes: 1, failures: 0 };
}
