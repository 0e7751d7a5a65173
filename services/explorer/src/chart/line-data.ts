import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import type { AlignedSeries } from '../series/align.ts';
import { estimateOf } from '../series/estimate.ts';
import type { ChartParts } from './chart-parts.ts';

/** One line, with the numbers it is drawn from. */
export interface Line {
  readonly owner: AlignedSeries;
  /** `value`, `partial`, an end of the band (`low`, `high`), or a percentile such as `p95`. */
  readonly part: string;
  readonly values: readonly (number | null)[];
}

/** Band ends, then percentiles, then the value. */
export function linesOf(
  owner: AlignedSeries,
  parts: Pick<ChartParts, 'query' | 'metric' | 'display'>,
): Line[] {
  const { display } = parts;
  const lineOf = (part: string, valueOf: (point: AggregatedPoint) => number | null): Line => ({
    owner,
    part,
    values: owner.points.map((point) =>
      point === undefined || point.partial === true ? null : valueOf(point),
    ),
  });
  const numberOf = (name: 'value' | 'low' | 'high') => (point: AggregatedPoint) =>
    estimateOf(point, parts)?.[name] ?? null;
  return [
    ...(display.band === 'off' && parts.query.view === 'trend'
      ? []
      : [lineOf('high', numberOf('high')), lineOf('low', numberOf('low'))]),
    ...display.percentiles.map((key) =>
      lineOf(`p${key}`, (point) => point.percentiles[key] ?? null),
    ),
    lineOf('value', numberOf('value')),
    ...partialLine(),
  ];

  /** Partial points and their neighbours, which dots join. */
  function partialLine(): Line[] {
    const isPartial = (i: number) => owner.points[i]?.partial === true;
    if (!owner.points.some((_, i) => isPartial(i))) return [];
    const isDrawn = (i: number) => isPartial(i) || isPartial(i - 1) || isPartial(i + 1);
    const values = owner.points.map((point, i) =>
      isDrawn(i) && point !== undefined ? numberOf('value')(point) : null,
    );
    return [{ owner, part: 'partial', values }];
  }
}
