import type { Series } from '../reference/result.ts';
import type { MetricRequest } from '../reference/metric-request.ts';

export type PostMetricData = (request: MetricRequest) => Promise<readonly Series[]>;

/** Posts a request to /metric_data and returns its `data`. Throws unless the status is 200. */
export function postMetricDataTo(queryUrl: string, token: string): PostMetricData {
  return async (request) => {
    const response = await fetch(`${queryUrl}/metric_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(request.times === undefined ? request : { ...request, time: undefined }),
    });
    const text = await response.text();
    if (response.status !== 200) {
      throw new Error(`${response.status} ${text}\nrequest: ${JSON.stringify(request)}`);
    }
    return (JSON.parse(text) as { data: readonly Series[] }).data;
  };
}
