import { onceIn, type SampleTest } from '../sample-test.ts';
import { targetColumns, targetValues } from './targets.ts';

/** Traffic of the router in the previous hour. It follows the network load. */
export const networkUsage: SampleTest = {
  key: 'network_usage',
  schedule: "kind = 'cpe'",
  endsAfterS: 2,
  values: {
    // Most hours have little traffic, few have a lot.
    household_bytes: 'least(down * 900, 4e9 * exp(1.4 * noise - 1.5) * (0.05 + busy))',
    tests_rx: `toInt64(if(${onceIn(2)}, down * 12, 200000))`,
    tests_tx: `toInt64(if(${onceIn(2)}, up * 12, 90000))`,
    // Faults: a counter overflow, a counter without reset, and less traffic than the tests sent.
    line_rx:
      'multiIf(fault = 1, -4294967296, fault = 2, 250000000000, fault >= 3, intDiv(tests_rx, 2), tests_rx + toInt64(household_bytes * (1 + again / 100)))',
  },
  columns: {
    wan_rx_bytes: 'line_rx',
    wan_tx_bytes:
      'if(fault = 1, -1073741824, tests_tx + toInt64(household_bytes * (0.05 + 0.1 * u2)))',
    sk_rx_bytes: 'tests_rx',
    sk_tx_bytes: 'tests_tx',
  },
};

/** A route every other day. `run`: the hop. */
export const traceroute: SampleTest = {
  key: 'traceroute',
  schedule: `kind = 'whitebox' AND intDiv(slot, 24) % 2 = agent_hash % 2 AND ${onceIn(24, 'traceroute')}`,
  endsAfterS: 200,
  rows: 'range(1, 7 + agent_hash % 5)',
  values: {
    ...targetValues('4'),
    last_hop: '6 + agent_hash % 5',
    // One router in the middle never responds; one route in 40 ends before the target.
    silent: 'run = 4 AND agent_hash % 3 = 0 OR run = last_hop AND broken',
    broken: 'run_hash % 40 = 0',
    replies: 'if(silent, 0, 3 - (u2 > 0.96))',
  },
  columns: {
    ...targetColumns,
    ip_version: '4',
    protocol: "'ICMP'",
    hop: 'run',
    hop_address: `multiIf(
      silent, '',
      run = last_hop, concat('192.0.2.', toString(target_number)),
      run = 1, '192.168.1.1',
      concat('198.51.100.', toString((agent_hash + run * 7) % 250 + 1)))`,
    hop_name: `multiIf(
      silent, '',
      run = last_hop, if(is_far, 'global1.measure.example', near_server),
      run = 1, 'router.home.example',
      concat('core', toString(run), '.transit.example'))`,
    sent: '3',
    received: 'replies',
    rtt_avg: `toUInt32(if(replies = 0 OR fault = 1, 0, if(run = 1, 900, rtt_us * run / last_hop) * (1 + 0.3 * u1 + again / 100) * if(fault >= 2, 500, 1)))`,
    successes: 'NOT broken',
    failures: 'broken',
  },
};
