import {
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
import type { Random } from './random.ts';

/** The row of one test on a phone. */
export const phoneColumns = {
  mobile_download: speed,
  mobile_upload: speed,
  mobile_latency: (random: Random) => ({
    ...phone(random),
    ...roundTrips(random),
    rtt_avg: randomNumber(random, [20_000, 400_000], [10_000_000]),
    ...burst(random),
  }),
  mobile_www: (random: Random) => ({
    ...phone(random),
    ...pageLoad(random),
    ...outcome(random),
  }),
  mobile_youtube: (random: Random) => ({
    ...phone(random),
    ...playback(random),
    video_id: random.pick(['clip-1', 'clip-2']),
    ...outcome(random),
  }),
} satisfies Record<string, (random: Random) => Columns>;

function speed(random: Random): Columns {
  return {
    ...phone(random),
    threads: random.pick([1, 4]),
    bytes_sec: bytesPerSecond(random, 2_500_000_000),
    ...outcome(random),
  };
}

function phone(random: Random): Columns {
  const isWifi = random.chance(0.4);
  return {
    ...server(random),
    manufacturer: random.pick(['Acme', 'Zeta']),
    model: random.pick(['A1', 'Z 9', '']),
    operating_system: random.pick(['Android', 'iOS']),
    operating_system_version: random.pick(['9', '10', '14.1']),
    geo_country: random.pick(['GB', 'NP', '']),
    connection_type: isWifi ? 'Wi-Fi' : 'Cellular',
    cellular_technology: isWifi ? '' : random.pick(['3G', '4G', '5G']),
    carrier_name: isWifi ? '' : random.pick(['Telia', 'O₂']),
  };
}
