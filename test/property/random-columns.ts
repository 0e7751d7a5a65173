import { cellPercentiles } from '../reference/metrics/cells.ts';
import type { TestName } from '../reference/panel.ts';
import {
  attempts,
  burst,
  bytesPerSecond,
  randomNumber,
  outcome,
  pageLoad,
  playback,
  roundTrips,
  server,
  type Columns,
} from './random-values.ts';
import { phoneColumns } from './random-phone-columns.ts';
import type { Random } from './random.ts';

/**
 * The rows of one test: one, or several for a download in sequences and for a route. Values lie on, just
 * below and just above every bound of a prefilter.
 */
export function randomColumns(random: Random, test: TestName): readonly [Columns, ...Columns[]] {
  const [first, ...others] = [generators[test](random)].flat();
  return [first!, ...others];
}

type Generator = (random: Random) => Columns | readonly Columns[];

const generators: Readonly<Record<TestName, Generator>> = {
  httpget: speedTest,
  httppost: speedTest,
  dns: (random) => ({
    nameserver: random.pick(['192.0.2.53', '2001:db8::53']),
    lookup_host: random.pick(['example.com', 'www.example.org']),
    record_type: random.pick(['A', 'AAAA']),
    ip_version: random.pick([4, 6]),
    rtt: randomNumber(random, [900, 90_000], [1, 10_000_000]),
    ...attempts(random, {
      successes: random.between(0, 6),
      failures: random.chance(0.6) ? 0 : random.between(0, 4),
    }),
  }),
  netflix: (random) => ({ ...server(random), ...playback(random), ...outcome(random) }),
  ping: (random) => ({
    ...server(random),
    line_load: random.pick(['idle', 'idle', 'download', 'upload']),
    ...roundTrips(random),
    ...burst(random),
  }),
  jitter: (random) => ({
    ...server(random),
    packet_size: random.pick([160, 1200]),
    stream_rate: 64_000,
    ...stream(random, 'down'),
    ...stream(random, 'up'),
    ...outcome(random),
  }),
  latency: (random) => ({
    ...server(random),
    line_load: random.pick(['idle', 'idle', 'idle', 'download', 'upload']),
    ...roundTrips(random),
    ...hourOfPackets(random),
  }),
  webget: (random) => ({
    ...server(random),
    threads: random.pick([1, 8]),
    ...pageLoad(random),
    ...attempts(random, outcome(random)),
  }),
  youtube: (random) => ({
    ...server(random),
    ...playback(random),
    video_id: random.pick(['clip-1', 'clip-2']),
    startup_delay: randomNumber(random, [200_000, 4_000_000], [1, 60_000_000]),
    ...outcome(random),
  }),
  network_usage: (random) => ({ ...traffic(random, 'rx'), ...traffic(random, 'tx') }),
  traceroute: route,
  udpcloss: (random) => ({
    ...server(random),
    // 31 days in microseconds.
    duration: randomNumber(random, [1_500_000, 90_000_000], [1, 2_678_400_000_000]),
    packets: randomNumber(random, [2, 60], [1]),
  }),
  panel: publishedAverages,
  cells: publishedCells,
  ...phoneColumns,
};

function speedTest(random: Random): readonly Columns[] {
  const test = { ...server(random), threads: random.pick([1, 3, 8]) };
  const rowCount = random.chance(0.12) ? random.between(2, 3) : 1;
  return Array.from({ length: rowCount }, (_, sequence) => ({
    ...test,
    sequence,
    bytes_sec: bytesPerSecond(random, 12_500_000_000),
    bytes_sec_interval: random.chance(0.1) ? 0 : bytesPerSecond(random, 12_500_000_000),
    tcp_retransmissions: random.chance(0.2) ? null : randomNumber(random, [0, 500], [1_000_000]),
    ...outcome(random),
  }));
}

function hourOfPackets(random: Random): Columns {
  if (random.chance(0.05)) return { successes: 0, failures: random.pick([0, 60]) };
  // A loss of one tenth is one ninth of the successes: 10 of 100 is 10 to 90.
  const ninth = random.between(6, 220);
  const successes = random.chance(0.2) ? random.pick([49, 50, 51]) : 9 * ninth;
  return { successes, failures: randomNumber(random, [0, 5], [ninth, successes]) };
}

function stream(random: Random, direction: 'down' | 'up'): Columns {
  // At least 50 packets must arrive: half of 500 is far above that, half of 60 below.
  const sent = random.pick([500, 60]);
  const received = randomNumber(random, [sent - 6, sent], [50, sent / 2]);
  return {
    [`packets_${direction}_sent`]: sent,
    [`packets_${direction}_recv`]: random.chance(0.05) ? random.pick([0, 1]) : received,
    [`jitter_${direction}`]: randomNumber(random, [20, 9000], [300_000]),
  };
}

function traffic(random: Random, direction: 'rx' | 'tx'): Columns {
  const testBytes = randomNumber(random, [0, 60_000_000], [0]);
  return {
    [`wan_${direction}_bytes`]: randomNumber(
      random,
      [0, 4_000_000_000],
      [0, testBytes, 100_000_000_000],
    ),
    [`sk_${direction}_bytes`]: testBytes,
  };
}

function publishedAverages(random: Random): Columns {
  const orBlank = (value: number) => (random.chance(0.1) ? null : value);
  // The columns are unsigned, so the lower bound is 1 and not 0.
  const speed = () => orBlank(randomNumber(random, [100_000, 120_000_000], [1, 12_500_000_000]));
  const latency = () => orBlank(randomNumber(random, [4000, 40_000], [50, 10_000_000]));
  const delay = () => orBlank(randomNumber(random, [200, 40_000], [1, 10_000_000]));
  const values = {
    download_mean: speed(),
    busy_download_mean: speed(),
    upload_mean: speed(),
    busy_upload_mean: speed(),
    latency_mean: latency(),
    busy_latency_mean: latency(),
    daily_outages: orBlank(randomNumber(random, [0, 300], [0, 144_000]) / 100),
    ...Object.fromEntries(hourBands.map((hours) => [`download_${hours}`, speed()])),
    ...allAndBusy(['packet_loss', 'dns_failure', ...streamed(['uhd', 'hd', 'sd', 'failed'])], () =>
      orBlank(randomNumber(random, [0, 10_000], [0, 10_000]) / 100),
    ),
    ...allAndBusy(['jitter_up_mean', 'jitter_down_mean', 'dns_mean'], delay),
    ...allAndBusy(['web_mean', ...streamed(['startup'])], () =>
      orBlank(randomNumber(random, [500_000, 5_000_000], [1, 60_000_000])),
    ),
    latency_download_mean: delay(),
    latency_download_median: delay(),
    latency_upload_mean: delay(),
    latency_upload_median: delay(),
  };
  const masked = Object.keys(values)
    .filter(() => random.chance(0.1))
    .map((column) => `${column}:${random.pick(['above', 'above', 'below'])}`);
  return { ...values, masked: masked.join(' ') };
}

/** Mostly ascending, some labelled from the best value on, some without a mean or with few percentiles. */
function publishedCells(random: Random): Columns {
  const ofQuantity = (quantity: string, highest: number) => {
    const orBlank = (value: number) => (random.chance(0.2) ? null : value);
    const steps = cellPercentiles.map(() => random.between(0, highest));
    const values = steps.sort((a, b) => (random.chance(0.9) ? a - b : b - a));
    return [
      [`${quantity}_count`, random.pick([0, 1, 4, 5, 900, 31_000_000])],
      [`${quantity}_mean`, orBlank(random.between(0, highest))],
      [`${quantity}_min`, orBlank(0)],
      [`${quantity}_max`, orBlank(highest)],
      ...cellPercentiles.map((percent, i) => [`${quantity}_p${percent}`, orBlank(values[i]!)]),
    ] as const;
  };
  return Object.fromEntries([
    ...ofQuantity('download', 125_000_000),
    ...ofQuantity('upload', 12_500_000),
    ...ofQuantity('latency', 900_000),
    ...ofQuantity('packet_loss', 100),
  ]) as Columns;
}

const hourBands = '0to6 6to12 12to18 18to19 19to20 20to21 21to22 22to23 23to24'.split(' ');

function streamed(names: readonly string[]): readonly string[] {
  return ['youtube', 'netflix', 'iplayer'].flatMap((service) =>
    names.map((name) => `${service}_${name}`),
  );
}

function allAndBusy(names: readonly string[], value: () => number | null): Columns {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, value()],
      [`busy_${name}`, value()],
    ]),
  );
}

/** The end of a route: one row per address seen at a hop, each with its own outcome. */
function route(random: Random): readonly Columns[] {
  const test = { ...server(random), protocol: random.pick(['ICMP', 'UDP', 'TCP']) };
  const lastHop = randomNumber(random, [1, 14], [1, 64]);
  const hops = Array.from({ length: random.between(1, 4) }, (_, i) => lastHop - i);
  return hops
    .filter((hop) => hop > 0 || hop === lastHop)
    .flatMap((hop) =>
      random.pick(addressesSeen).map((hop_address) => ({
        ...test,
        hop,
        hop_address,
        ...(random.chance(0.3) ? { successes: 0, failures: 1 } : { successes: 1, failures: 0 }),
      })),
    );
}

/** No response, one router, several routers. As text 192.0.2.9 sorts after 192.0.2.10. */
const addressesSeen: readonly [readonly string[], ...(readonly string[])[]] = [
  [''],
  ['192.0.2.9'],
  ['192.0.2.9', '192.0.2.10'],
  ['2001:db8::A', '', '2001:db8::a'],
];
