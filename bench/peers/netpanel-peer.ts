import type { LocalStack } from '../../test/support/local-stack.ts';
import type { BenchPanel } from '../panel/bench-panel.ts';
import { requestOver, type Shape } from '../panel/requests.ts';
import type { DailyByIsp, Peer } from './daily-by-isp.ts';

const shape: Shape = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'daily',
  normalised: false,
  prefilter: false,
  splits: ['isp'],
};

interface Point {
  readonly isp: string;
  readonly dtime: string;
  readonly metricValue: number;
  readonly sampleCount: number;
  readonly agentCount: number;
  readonly median: number;
  readonly percentiles: Readonly<Record<string, number>>;
}

export function netpanelPeer({ queryUrl }: LocalStack, panel: BenchPanel): Peer {
  const request = requestOver(panel, shape, panel.rows);
  const headers = {
    authorization: panel.tenant.dataToken,
    'content-type': 'application/json',
    'cache-control': 'no-cache',
  };
  return {
    name: 'netpanel',
    queryText: `{"metric": "httpget", "chartType": "aggregate", "aggregation": "daily",
 "normalised": false, "prefilter": false, "splits": ["isp"],
 "time": {"from": "${request.time.from}", "to": "${request.time.to}"}}`,
    run: async () => {
      const body = JSON.stringify(request);
      const response = await fetch(`${queryUrl}/metric_data`, { method: 'POST', headers, body });
      const { data } = (await response.json()) as { data: { metricData: Point[] }[] };
      return data.flatMap(({ metricData }) => metricData.map(toRow));
    },
    close: () => Promise.resolve(),
  };
}

function toRow(point: Point): DailyByIsp {
  return {
    isp: point.isp,
    day: point.dtime,
    mean: point.metricValue,
    samples: point.sampleCount,
    agents: point.agentCount,
    median: point.median,
    p95: point.percentiles['95'] ?? NaN,
  };
}
