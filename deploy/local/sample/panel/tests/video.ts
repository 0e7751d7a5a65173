import { onceIn, type SampleTest } from '../sample-test.ts';
import { addressOf } from './targets.ts';

/** Values shared with the phones' test: the best stream for the line, and its playback. */
export const streamValues: Readonly<Record<string, string>> = {
  // Faults: a stream of speed 0, and one faster than any line.
  stream_speed: 'multiIf(failed OR fault = 1, 0, fault >= 2, 1e12, down * (0.55 + 0.4 * u1))',
  level: 'multiIf(stream_speed > 4e6, 3, stream_speed > 1.4e6, 2, 1)',
  media_speed: '[350000, 700000, 2000000][level]',
  underruns:
    'if(failed, 0, toUInt32(u3 * u3 * 4 * busy * (stream_speed < media_speed * 2) + (u4 > 0.985)))',
};

export const streamColumns = {
  ip_version: '4',
  bitrate: 'if(failed, 0, media_speed)',
  resolution: 'if(failed, 0, [720, 1080, 2160][level])',
  downthrpt: 'toUInt64(stream_speed * (1 + again / 100))',
  bytes_total: 'if(failed, 0, media_speed * 20)',
  duration: 'if(failed, 0, 20000000)',
  connect_time: 'if(failed, 0, toUInt32(rtt_us * (1 + 0.3 * u2)))',
  startup_delay:
    'if(failed, 0, toUInt64(rtt_us * 12 + media_speed * 1.5 / greatest(stream_speed, 1e5) * 1e6))',
  buffer_underruns: 'underruns',
  buffer_delay: 'toUInt64(underruns * (300000 + 900000 * u2))',
  successes: 'NOT failed',
  failures: 'failed',
} as const;

export const youtubeColumns = {
  target: "concat('r', toString(1 + agent_hash % 5), '.youtube-cache.example')",
  target_group: "'video'",
  address: addressOf('240 + agent_hash % 5', '4'),
  video_id: "['harbour-at-dawn', 'city-by-night', 'slow-river'][1 + run_hash % 3]",
} as const;

export const youtube: SampleTest = {
  key: 'youtube',
  schedule: `kind IN ('whitebox', 'cpe') AND ${onceIn(12, 'youtube')}`,
  endsAfterS: 170,
  values: streamValues,
  columns: {
    ...streamColumns,
    ...youtubeColumns,
    buffer_size: 'if(failed, 0, media_speed * 2)',
    buffer_filltime: 'if(failed, 0, toUInt64(media_speed * 2 / greatest(stream_speed, 1e5) * 1e6))',
    downjitter: 'if(failed, 0, toUInt32(rtt_us * (0.05 + 0.1 * u4)))',
    latency: 'if(failed, 0, toUInt32(rtt_us * (1 + 0.2 * u2)))',
    jitter: 'if(failed, 0, toUInt32(rtt_us * (0.04 + 0.1 * u3)))',
  },
};

export const netflix: SampleTest = {
  key: 'netflix',
  schedule: `kind IN ('whitebox', 'cpe') AND ${onceIn(12, 'netflix')}`,
  endsAfterS: 170,
  values: streamValues,
  columns: {
    ...streamColumns,
    target: "concat('c', toString(1 + agent_hash % 3), '.netflix-cache.example')",
    target_group: "'video'",
    address: addressOf('245 + agent_hash % 3', '4'),
    ttfb: 'if(failed, 0, toUInt32(rtt_us * (2 + u4)))',
  },
};
