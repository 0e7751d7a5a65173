import type { Series } from '../reference/result.ts';
import type { MetricRequest } from '../reference/metric-request.ts';

export type PostMetricData = (request: MetricRequest) => Promise<readonly Series[]>;

/** Posts a request to /metric_data and returns its `data`. Throws unless the status is 200. */
export function postMetricDataTo(queryUrl: string, token: string): PostMetricData {
  return async (request) => {
    const sent = JSON.stringify(
      request.times === undefined ? request : { ...request, time: undefined },
    );
    const startedMs = Date.now();
    const failure = (reason: string) =>
      new Error(`${reason} after ${Date.now() - startedMs} ms\nrequest: ${sent}`);
    try {
      const response = await fetch(`${queryUrl}/metric_data`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: sent,
      });
      const text = await response.text();
      if (response.status !== 200) throw failure(`${response.status} ${text}`);
      return (JSON.parse(text) as { data: readonly Series[] }).data;
    } catch (error) {
      // `fetch failed`: the reason is its cause.
      throw error instanceof TypeError
        ? failure(`${error.message}: ${String(error.cause)}`)
        : error;
    }
  };
}
