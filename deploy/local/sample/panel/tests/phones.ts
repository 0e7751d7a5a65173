import type { SampleTest } from '../sample-test.ts';
import { targetColumns, targetValues } from './targets.ts';
import { streamColumns, streamValues, youtubeColumns } from './video.ts';
import { pageColumns, pageValues } from './web.ts';

export const mobileDownload: SampleTest = phoneThroughput('mobile_download', 'down', 20);

export const mobileUpload: SampleTest = phoneThroughput('mobile_upload', 'up', 35);

export const mobileLatency: SampleTest = onPhone({
  key: 'mobile_latency',
  endsAfterS: 45,
  values: {
    ...targetValues('if(has_ipv6, 6, 4)'),
    received: 'NOT failed AND fault != 1',
    fastest: 'received * rtt_us * (0.9 + 0.4 * u1) * (1 + again / 100)',
    spread: 'received * (rtt_us * (0.1 + 0.8 * busy * u2) + if(fault = 3, 400000, 0))',
    packets_lost: 'toUInt32(multiIf(failed, 60, fault = 2, 55, fault = 4, 30, 3 * u4 * u4 * u4))',
  },
  columns: {
    ...targetColumns,
    ip_version: 'ip_version_used',
    rtt_avg: 'toUInt32(fastest + spread)',
    rtt_min: 'toUInt32(fastest)',
    rtt_max: 'toUInt32(fastest + spread * 5)',
    rtt_std: 'toUInt32(spread * 0.9)',
    jitter: 'toUInt32(spread * (0.4 + u3))',
    successes: '60 - packets_lost',
    failures: 'packets_lost',
  },
});

export const mobileWww: SampleTest = onPhone({
  key: 'mobile_www',
  endsAfterS: 60,
  values: pageValues,
  columns: {
    ...pageColumns,
    requests: 'if(failed, 0, page_objects + 1)',
    lookup_time: 'if(failed, 0, toUInt32(rtt_us * (1 + u3)))',
    connect_time: 'if(failed, 0, toUInt32(rtt_us * (1 + 0.2 * u2)))',
    ttfb: 'if(failed, 0, toUInt32(rtt_us * (2 + u4)))',
  },
});

export const mobileYoutube: SampleTest = onPhone({
  key: 'mobile_youtube',
  endsAfterS: 90,
  values: streamValues,
  columns: { ...streamColumns, ...youtubeColumns },
});

function phoneThroughput(key: string, lineSpeed: 'down' | 'up', endsAfterS: number): SampleTest {
  return onPhone({
    key,
    endsAfterS,
    values: {
      ...targetValues('if(has_ipv6, 6, 4)'),
      plausible: `${lineSpeed} * (0.35 + 0.65 * u1) * multiIf(on_wifi, 1.3, on_3g, 0.15, 1)`,
      speed: `toInt64(multiIf(failed OR fault = 1, 0, fault = 2, -plausible, fault >= 3, 1e12, plausible * (1 + again / 100)))`,
    },
    columns: {
      ...targetColumns,
      ip_version: 'ip_version_used',
      fetch_time: '5000000 + toUInt64(u2 * 20000)',
      bytes_total: 'toUInt64(greatest(speed, 0) * 5)',
      bytes_sec: 'speed',
      warmup_time: '1000000',
      warmup_bytes: 'toUInt64(greatest(speed, 0) / 3)',
      threads: '4',
      successes: 'NOT failed',
      failures: 'failed',
    },
  });
}

/** A phone runs tests a few times per day; all tests of a slot share its connection. */
function onPhone(test: Omit<SampleTest, 'schedule'>): SampleTest {
  return {
    ...test,
    schedule: "kind = 'mobile' AND cityHash64(agent_hash, slot, 'phone') % 7 = 0",
    values: {
      connection_hash: "cityHash64(agent_hash, slot, 'connection')",
      on_wifi: 'connection_hash % 100 < 55',
      on_5g: 'NOT on_wifi AND down > 10e6',
      on_3g: 'NOT on_wifi AND NOT on_5g AND connection_hash % 10 = 0',
      abroad: 'NOT on_wifi AND connection_hash % 97 = 0',
      ...test.values,
    },
    columns: {
      manufacturer: 'manufacturer',
      model: 'base',
      operating_system: 'operating_system',
      operating_system_version: 'operating_system_version',
      app_version: "if(slot < 720, '4.2.0', '4.3.1')",
      geo_country: "if(abroad, 'FR', country)",
      connection_type: "if(on_wifi, 'Wi-Fi', 'Cellular')",
      cellular_technology: "multiIf(on_wifi, '', on_5g, '5G', on_3g, '3G', '4G')",
      carrier_name: 'carrier',
      is_roaming: 'if(on_wifi, NULL, abroad)',
      cell_id: 'if(on_wifi, NULL, 1000000 + agent_hash % 5000 * 10 + connection_hash % 6)',
      signal_strength: "if(on_wifi AND operating_system = 'iOS', NULL, -65 - toInt16(u4 * 50))",
      ...test.columns,
    },
  };
}
