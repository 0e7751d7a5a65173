import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { referenceResponse } from '../reference/reference-response.ts';
import type { PostMetricData } from './post-metric-data.ts';
import { propertySeed } from './property-panel.ts';

/**
 * Throws if the response to a request differs from that of the reference for the panel. `floor`: the privacy floor of
 * the token.
 */
export async function compareWithReference(
  panel: Panel,
  post: PostMetricData,
  request: MetricRequest,
  floor = 0,
): Promise<void> {
  const sentAt = new Date();
  const actual = await post(request);
  const differenceAt = (now: Date) =>
    firstDifference(referenceResponse(panel, request, now, floor), actual);
  const difference = differenceAt(sentAt);
  // The service's `now` lies between the two times. Accept the response if it matches either.
  if (difference === undefined || differenceAt(new Date()) === undefined) return;
  throw new Error(
    `${difference}\nrequest: ${JSON.stringify(request)}\nrepeat with PROPERTY_SEED=${propertySeed}`,
  );
}
