import { scaleLinear, scaleUtc } from 'd3-scale';
import { aggregations } from '../../../catalog/aggregations.ts';
import { isProfile } from '../series/align.ts';
import { tickText, xText } from '../series/time-text.ts';
import type { Aggregation, Zoom } from '../state/view-state.ts';

export type XScale = ReturnType<typeof xScale>;

/** Local time in seconds, or hours and days of a profile, with the ticks that have room. */
export function xScale({ min, max }: Zoom, width: number, aggregation: Aggregation) {
  const scale = scaleLinear([min, max], [0, width]);
  return {
    at: (x: number) => scale(x),
    xAt: (place: number) => scale.invert(place),
    ticks: isProfile(aggregation) ? profileTicks(aggregations[aggregation].range[0]) : timeTicks(),
  };

  /** Days of the week and of the month begin at 1. */
  function profileTicks(firstBucket: number) {
    const most = Math.max(2, width / 56);
    const step = [1, 2, 3, 6, 12, 24, 48].find((one) => (max - min) / one <= most) ?? 48;
    const first = Math.ceil(min / step) * step;
    const ticks: { x: number; text: string }[] = [];
    for (let x = first; x <= max; x += step) ticks.push({ x, text: xText(x, aggregation) });
    return ticks.filter(({ x }) => x >= firstBucket);
  }

  // Local times are counted as if they were UTC.
  function timeTicks() {
    const dates = scaleUtc([min * 1000, max * 1000], [0, width]).ticks(Math.max(2, width / 84));
    const xs = dates.map((date) => date.getTime() / 1000);
    const step = (xs[1] ?? 0) - (xs[0] ?? 0);
    return xs.map((x) => ({ x, text: tickText(x, step) }));
  }
}

export function xLabel(aggregation: Aggregation): string {
  if (!isProfile(aggregation)) return "Households' local time";
  const { label } = aggregations[aggregation];
  const what = label.replace(/^By (.)/, (_by, first: string) => first.toUpperCase());
  return `${what}, households' local time`;
}
