import type { AlignedSeries } from '../series/align.ts';
import { type Estimate, estimateOf } from '../series/estimate.ts';
import { relativeTo } from '../series/relative.ts';
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
  const { points } = owner;
  const percentiles = parts.query.view === 'trend' ? parts.display.percentiles : [];
  const relative = relativeOf(owner, parts);
  const estimates = points.map((point) => point && estimateOf(point, parts));
  const isPartial = (i: number) => points[i]?.partial === true;
  const lineOf = (part: string, valueOf: (i: number) => number | null | undefined): Line => ({
    owner,
    part,
    values: points.map((_, i) => {
      const value = isPartial(i) ? null : (valueOf(i) ?? null);
      return value === null ? null : relative(value);
    }),
  });
  return [
    ...(parts.display.band === 'off' && parts.query.view === 'trend'
      ? []
      : [lineOf('high', (i) => estimates[i]?.high), lineOf('low', (i) => estimates[i]?.low)]),
    ...percentiles.map((key) => lineOf(`p${key}`, (i) => points[i]?.percentiles[key])),
    lineOf('value', (i) => estimates[i]?.value),
    ...partialLine(),
  ];

  /** Partial points and their neighbours, which dots join. */
  function partialLine(): Line[] {
    if (!points.some((_, i) => isPartial(i))) return [];
    const values = points.map((_, i) => {
      const isDrawn = isPartial(i) || isPartial(i - 1) || isPartial(i + 1);
      const value = isDrawn ? estimates[i]?.value : undefined;
      return value === undefined ? null : relative(value);
    });
    return [{ owner, part: 'partial', values }];
  }
}

/** How a value of a series is drawn: as measured, or in relation to the first complete point of its line. */
export function relativeOf(
  { points }: AlignedSeries,
  parts: Pick<ChartParts, 'query' | 'metric' | 'display'>,
): (value: number) => number | null {
  const { relative } = parts.display;
  if (parts.query.view !== 'trend' || relative === 'off') return (value) => value;
  const complete = points.filter((point) => point !== undefined && point.partial !== true);
  let first: Estimate | undefined;
  for (const point of complete) first ??= point && estimateOf(point, parts);
  // Nothing is a percentage of 0.
  return first === undefined || first.value === 0 ? () => null : relativeTo(first.value, relative);
}
