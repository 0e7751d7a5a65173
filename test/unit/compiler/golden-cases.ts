import { aggregations } from '../../../services/query/request/metric-query.ts';

/** Name of the golden file to what differs from the plain request. */
export const metricCases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...Object.fromEntries(aggregations.map((aggregation) => [`by-${aggregation}`, { aggregation }])),

  'split-text-column': { splits: ['target'] },
  'split-number-column': { splits: ['threads'] },
  'split-unit': { splits: ['unit'] },
  'split-metadata': { splits: ['isp'] },
  'split-custom': { splits: ['tier'] },
  'split-custom-hidden-name': { splits: ['custom.isp', 'isp'] },
  'split-custom-odd-key': { splits: ["it's `odd`"] },
  'split-mobile': { metric: 'mobileDownload', splits: ['carrier_name', 'cellular_technology'] },
  'split-total': { aggregation: 'total', splits: ['package'] },

  'filter-include-text': { filters: [filter('target', 'include', 'a.example', 'b.example')] },
  'filter-exclude-text': { filters: [filter('target_set', 'exclude', 'europe')] },
  'filter-include-number': { filters: [filter('threads', 1, '4', '8')] },
  'filter-exclude-unit': { filters: [filter('unit', '0', '123')] },
  'filter-include-metadata': { filters: [filter('isp', 'inclusive', "O'Brien \\ Sons")] },
  'filter-exclude-metadata': { filters: [filter('package', 'exclusive', 'A:Fibre')] },
  'filter-include-custom': { filters: [filter('tier', 'include', 'gold')] },
  'filter-exclude-custom': { filters: [filter('custom.isp', 'exclude', 'x')] },
  'filter-several-and-split': {
    splits: ['isp'],
    filters: [filter('isp', 'include', 'A', 'B'), filter('country', 'exclude', 'US')],
  },

  normalised: { normalised: true },
  'normalised-split': { normalised: true, splits: ['isp'] },
  'agent-agg': { agent_agg: true },
  'agent-agg-normalised': { agent_agg: true, normalised: true },
  raw: { chartType: 'raw', aggregation: undefined },
  'raw-split': { chartType: 'raw', splits: ['isp', 'agent'], normalised: true },
  'time-instants': { time: { from: '-7 days', to: 'now' } },
  'time-clock-to-instant': { time: { from: '2026-02-01 00:00', to: 'now' } },

  ratio: { metric: 'dnsFail' },
  'ratio-normalised': { metric: 'dnsFail', normalised: true },
  'ratio-agent-agg': { metric: 'dnsFail', agent_agg: true },
  'ratio-agent-agg-normalised': { metric: 'dnsFail', agent_agg: true, normalised: true },

  ...Object.fromEntries(
    [
      'httpget',
      'httppost_retrans',
      'udpLatency',
      'udpPacketLoss',
      'pingAvg',
      'jitterUp',
      'dnsResponse',
      'webgetAvg',
      'youtubeStartup',
      'netflixBitrate',
      'networkUsageDown',
      'tracerouteHops',
      'mobileLatency',
      'mobileYoutube',
    ].map((metric) => [`prefilter-${metric}`, { metric, prefilter: true, aggregation: 'total' }]),
  ),
};

function filter(id: string, filterType: string | number, ...filterValues: readonly string[]) {
  return { id, filterType, filterValues };
}
