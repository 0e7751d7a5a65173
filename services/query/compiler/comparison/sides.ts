import type { AggregateMetricQuery } from '../../request/metric-query.ts';

/** The values of the column `side`: the request, and what it is compared with. */
export const sides = { here: 1, there: 2 } as const;

export type Side = keyof typeof sides;

export const sideNames = Object.keys(sides) as readonly Side[];

/** The request of the other side. The rest has the same results. */
export function queryOfThere(query: AggregateMetricQuery): AggregateMetricQuery | undefined {
  if (query.report?.compare === undefined || query.report.compare.toRest) return undefined;
  const { compare, ...report } = query.report;
  return { ...query, ...compare.there, report };
}

/** Whether the sides are of different times, so that households can have changed between them. */
export function isOverTime({ report, metric }: AggregateMetricQuery): boolean {
  return report?.compare?.there.times !== undefined && metric.stored === undefined;
}
