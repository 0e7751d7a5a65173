import { expect } from 'chai';
import type { DataApi } from './data-api.ts';

export interface Point {
  readonly isp: string;
  readonly dtime: string;
  readonly metricValue: number;
  readonly ci95: number;
}

/** A week of the sample panel that the explorer is tried on. */
export const week = { from: '2026-11-01 00:00', to: '2026-11-07 23:59:59' };

/** The fragment of a link to a view of it. */
export function link(view: Readonly<Record<string, string>>, range = week): string {
  return new URLSearchParams({ ...view, ...range }).toString();
}

/** What a program gets for the request behind a view. */
export async function metricData(api: DataApi, request: object): Promise<Point[][]> {
  const { status, body } = await api.post('/metric_data', request);
  expect(status).to.equal(200);
  return (body.data as { metricData: Point[] }[]).map(({ metricData: points }) => points);
}
