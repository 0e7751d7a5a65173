import type { MetricQuery } from '../../services/query/request/metric-query.ts';
import type { ParseContext } from '../../services/query/request/parse-context.ts';
import { parseMetricQuery } from '../../services/query/request/parse-metric-query.ts';
import { plainRequest } from './plain-request.ts';

/** A Saturday. */
const requestTime = new Date('2026-02-14T10:20:30.400Z');

export const parseContext: ParseContext = {
  organisationId: 7,
  metrics: 'all',
  tests: 'all',
  customKeys: ['tier', 'floor', 'isp', "it's `odd`", 'advertised', 'weight', 'balance'],
  metadataWarnings: [],
  now: requestTime,
  minAgents: 0,
  numberRanges: new Map([
    ['advertised', { lowest: 1 }],
    ['weight', { lowest: 0 }],
    ['balance', { lowest: -3 }],
  ]),
  agentSets: ['fcc-2018-excluded', 'pilot'],
  replicateCopies: new Map([['weight', '11111111-2222-3333-4444-555555555555']]),
  limits: { maxRangeDays: 400, maxFilterValues: 5, maxSplits: 3 },
};

export function metricQuery(
  changes: Readonly<Record<string, unknown>>,
  context: ParseContext = parseContext,
): MetricQuery {
  return parseMetricQuery({ ...plainRequest, ...changes }, context);
}
