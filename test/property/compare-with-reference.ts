import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { referenceResponse } from '../reference/reference-response.ts';
import type { PostMetricData } from './post-metric-data.ts';
import { propertySeed } from './property-panel.ts';

/**
 * Throws if the response to a request differs from that of the reference for the panel. `floor`: the privacy floor of
 * the token; `compared`: the panel as known for the other side of a comparison.
 */
export async function compareWithReference(
  panel: Panel,
  post: PostMetricData,
  request: MetricRequest,
  floor = 0,
  compared = panel,
): Promise<void> {
  const sentMs = Date.now();
  const actual = await post(request);
  const receivedMs = Date.now();
  const differenceAt = (ms: number) =>
    firstDifference(referenceResponse(panel, request, new Date(ms), floor, compared), actual);
  const difference = differenceAt(sentMs);
  if (difference === undefined) return;
  // The service's `now` lies between the two times, to the second. Accept the response if it matches one.
  for (let ms = sentMs + 1000; ms < receivedMs + 1000; ms += 1000) {
    if (differenceAt(Math.min(ms, receivedMs)) === undefined) return;
  }
  throw new Error(
    `${difference}\nrequest: ${JSON.stringify(request)}\nrepeat with PROPERTY_SEED=${propertySeed}`,
  );
}
