import type {
  AggregatedPoint,
  Point,
  RawPoint,
  MetricSeries,
} from '../../../../openapi/client/index.ts';
import type { Look } from '../state/view-state.ts';

/** So many series show by themselves; the others are found in the legend. */
export const shownAtFirst = 20;

export interface Series {
  /** The split values as JSON: tells null from the text "null". */
  readonly key: string;
  readonly label: string;
  /** Its place, which gives it its colour. */
  readonly index: number;
  /** How many results it is made of. */
  readonly size: number;
  readonly points: readonly Point[];
}

/** The service's series in its own order, or, when they are many, the largest first. */
export function toSeries(data: readonly MetricSeries[], splits: readonly string[]): Series[] {
  const series = data.map(({ metricData }) => {
    const values = splits.map((split) => metricData[0]?.[split] ?? null);
    return {
      key: JSON.stringify(values),
      label: values.length === 0 ? 'All results' : values.map(valueText).join(' · '),
      size: metricData.reduce((sum, point) => sum + sampleCountOf(point), 0),
      points: metricData,
    };
  });
  if (series.length > shownAtFirst) series.sort((a, b) => b.size - a.size);
  return series.map((one, index) => ({ ...one, index }));
}

export function isShown({ key, index }: Series, look: Look): boolean {
  if (look.switchedOff.includes(key)) return false;
  return index < shownAtFirst || look.switchedOn.includes(key);
}

/** Changes of the look that switch series on or off, with no more in the link than needed. */
export function switched(
  series: readonly Series[],
  isOn: boolean,
  look: Look,
): Pick<Look, 'switchedOn' | 'switchedOff'> {
  const keys = new Set(series.map(({ key }) => key));
  const others = (list: readonly string[]) => list.filter((key) => !keys.has(key));
  const exceptions = series.filter(({ index }) => index < shownAtFirst !== isOn);
  const added = exceptions.map(({ key }) => key);
  return {
    switchedOn: [...others(look.switchedOn), ...(isOn ? added : [])],
    switchedOff: [...others(look.switchedOff), ...(isOn ? [] : added)],
  };
}

export function isAggregated(point: Point): point is Point & AggregatedPoint {
  return 'sampleCount' in point;
}

export function isRaw(point: Point): point is Point & RawPoint {
  return !isAggregated(point);
}

function sampleCountOf(point: Point): number {
  return isAggregated(point) ? point.sampleCount : 1;
}

function valueText(value: unknown): string {
  if (value === null) return 'not known';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
