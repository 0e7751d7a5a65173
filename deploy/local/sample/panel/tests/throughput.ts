import { onceIn, type SampleTest } from '../sample-test.ts';
import { targetColumns, targetValues } from './targets.ts';

export const httpget: SampleTest = throughput('httpget', 'down', 20);

export const httppost: SampleTest = throughput('httppost', 'up', 40);

/** Every two hours with eight connections; some also with one, or over IPv6. `run`: threads, IP, sequence. */
function throughput(key: string, lineSpeed: 'down' | 'up', endsAfterS: number): SampleTest {
  return {
    key,
    schedule: `kind IN ('whitebox', 'cpe') AND if(is_legacy, ${onceIn(6)}, ${onceIn(2)})
      OR kind = 'web' AND ${onceIn(12)}`,
    endsAfterS,
    rows: `multiIf(
        is_legacy, [(1, 4, 0), (1, 4, 1), (1, 4, 2), (1, 4, 3), (1, 4, 4), (1, 4, 5)],
        kind = 'web' OR cityHash64(agent_hash, slot, 'runs') % 6 = 0, [(8, 4, 0), (1, 4, 0)],
        has_ipv6 AND cityHash64(agent_hash, slot, 'runs') % 6 = 1, [(8, 4, 0), (8, 6, 0)],
        [(8, 4, 0)])`,
    values: {
      ...targetValues('run.2'),
      // One connection does not fill a fast line.
      possible: `${lineSpeed} * if(run.1 = 1, 0.74, 1) * if(is_far, 0.88, 1) * if(run.2 = 6, 0.985, 1)`,
      plausible: 'possible * greatest(0.05, 1 - abs(noise) * 0.07)',
      measured: `multiIf(failed OR fault = 1, 0, fault = 2, -plausible, fault >= 3, 1e12, plausible)`,
      speed: 'toInt64(measured * (1 + again / 100))',
      measured_us: 'if(is_legacy, 5000000 * (run.3 + 1), 10000000) + toUInt64(u2 * 9000)',
    },
    columns: {
      ...targetColumns,
      fetch_time: 'measured_us',
      bytes_total: 'toUInt64(greatest(speed, 0) * (measured_us / 1e6))',
      bytes_sec: 'speed',
      bytes_sec_interval: 'if(is_legacy, toInt64(speed * (0.97 + 0.06 * u3)), speed)',
      warmup_time: 'toUInt64(2000000 + u4 * 1500000)',
      warmup_bytes: 'toUInt64(greatest(speed, 0) * (1 + u4) / 3)',
      sequence: 'run.3',
      threads: 'run.1',
      tcp_retransmissions:
        "if(kind = 'cpe', NULL, toUInt32(least(greatest(measured, 0) * u1 * u1 * (0.2 + busy) / 40000, 1e6)))",
      successes: 'NOT failed',
      failures: 'failed',
      ip_version: 'run.2',
    },
  };
}
