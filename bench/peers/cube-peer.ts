import type { Bench } from '../bench.ts';
import type { BenchPanel } from '../panel/bench-panel.ts';
import type { Peer } from './daily-by-isp.ts';

export function cubePeer(_bench: Bench, _panel: BenchPanel): Promise<readonly Peer[]> {
  return Promise.resolve([]);
}
