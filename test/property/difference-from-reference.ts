import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { referenceResponse } from '../reference/reference-response.ts';
import type { StoredPanel } from './property-panel.ts';

/** The first difference between the service's response and the reference; undefined if there is none. */
export async function differenceFromReference(
  { panel, post }: StoredPanel,
  request: MetricRequest,
): Promise<string | undefined> {
  const sentAt = new Date();
  const actual = await post(request);
  const differenceAt = (now: Date) =>
    firstDifference(referenceResponse(panel, request, now), actual);
  const difference = differenceAt(sentAt);
  // The service's `now` lies between the two times. Accept the response if it matches either.
  return difference === undefined || differenceAt(new Date()) === undefined
    ? undefined
    : difference;
}
