import { expect } from 'chai';
import type { DataApi } from './data-api.ts';

export interface Point {
  readonly isp: string;
  readonly dtime: string;
  readonly metricValue: number;
  readonly ciHousehold95: number;
}

/** The week of the sample panel that the explorer tests use. */
export const week = { from: '2026-11-01 00:00', to: '2026-11-07 23:59:59' };

/** The URL fragment of an explorer view of this week. */
export function link(view: Readonly<Record<string, string>>, range = week): string {
  return new URLSearchParams({ ...view, ...range }).toString();
}

/** The API's response to the request behind an explorer view. */
export async function metricData(api: DataApi, request: object): Promise<Point[][]> {
  const { status, body } = await api.post('/metric_data', request);
  expect(status).to.equal(200);
  return (body.data as { metricData: Point[] }[]).map(({ metricData: points }) => points);
}
