import type { Series } from '../reference/answer.ts';
import type { MetricRequest } from '../reference/metric-request.ts';

export type AskMetricData = (request: MetricRequest) => Promise<readonly Series[]>;

/** POST /metric_data with a token: the `data` of an answer that must be 200. */
export function askMetricData(queryUrl: string, token: string): AskMetricData {
  return async (request) => {
    const response = await fetch(`${queryUrl}/metric_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const text = await response.text();
    if (response.status !== 200) {
      throw new Error(`${response.status} ${text}\nasked: ${JSON.stringify(request)}`);
    }
    return (JSON.parse(text) as { data: readonly Series[] }).data;
  };
}
