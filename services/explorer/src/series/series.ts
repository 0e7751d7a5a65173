import type {
  AggregatedPoint,
  MetricSeries,
  Point,
  RawPoint,
} from '../../../../openapi/client/index.ts';
import type { DisplayOptions } from '../state/view-state.ts';

/** Number of series shown by default; the legend finds the others. */
export const shownAtFirst = 20;

export interface Series {
  /** The split values as JSON, which distinguishes null from the text "null". */
  readonly key: string;
  readonly label: string;
  /** In a panel that has the rest of the name as its title. */
  readonly shortLabel?: string;
  /** Position: only the first ones are shown by default. */
  readonly index: number;
  /** Determines the colour and the dashes. Depends only on the split values, not on the other series. */
  readonly colourSlot: number;
  /** Number of results. */
  readonly size: number;
  readonly points: readonly Point[];
}

/** The series in the order of the service, or the largest first when there are many. */
export function toSeries(
  data: readonly MetricSeries[],
  splits: readonly string[],
  slotOf: SlotOf = () => 0,
): Series[] {
  const series = [...pointsByKey(data, splits)].map(([key, points]) => {
    const values = splitValues(points[0], splits);
    return {
      key,
      colourSlot: slotOf(values),
      label: values.length === 0 ? 'All results' : values.map(valueText).join(' · '),
      size: points.reduce((sum, point) => sum + sampleCountOf(point), 0),
      points,
    };
  });
  if (series.length > shownAtFirst) series.sort((a, b) => b.size - a.size);
  return series.map((one, index) => ({ ...one, index }));
}

// Raw points of all split values are in one object, ordered by time.
function pointsByKey(
  data: readonly MetricSeries[],
  splits: readonly string[],
): ReadonlyMap<string, readonly Point[]> {
  const byKey = new Map<string, Point[]>();
  // A share over buckets is never requested, so every point has the columns of an aggregated or a raw one.
  const all = data.flatMap(({ metricData }) => metricData as Point[]);
  for (const point of all) {
    const key = JSON.stringify(splitValues(point, splits));
    const points = byKey.get(key);
    if (points === undefined) byKey.set(key, [point]);
    else points.push(point);
  }
  return byKey;
}

/** The values of the splits in words. */
export function splitTexts({ key }: Series): readonly string[] {
  return (JSON.parse(key) as readonly unknown[]).map(valueText);
}

function splitValues(point: Point | undefined, splits: readonly string[]): readonly unknown[] {
  return splits.map((split) => point?.[split] ?? null);
}

export function isShown({ key, index }: Series, display: DisplayOptions): boolean {
  if (display.switchedOff.includes(key)) return false;
  return index < firstShown(display) || display.switchedOn.includes(key);
}

/** The number of series that are shown by default. */
export function firstShown({ rank }: Pick<DisplayOptions, 'rank'>): number {
  return rank?.count ?? shownAtFirst;
}

/** The key of all other series together. */
export const otherKey = 'others';

/** The display options that show or hide series. Only exceptions are stored, to keep links short. */
export function switched(
  series: readonly Series[],
  isOn: boolean,
  display: DisplayOptions,
): Pick<DisplayOptions, 'switchedOn' | 'switchedOff'> {
  const keys = new Set(series.map(({ key }) => key));
  const others = (list: readonly string[]) => list.filter((key) => !keys.has(key));
  const exceptions = series.filter(({ index }) => index < firstShown(display) !== isOn);
  const added = exceptions.map(({ key }) => key);
  return {
    switchedOn: [...others(display.switchedOn), ...(isOn ? added : [])],
    switchedOff: [...others(display.switchedOff), ...(isOn ? [] : added)],
  };
}

export function isAggregated(point: Point): point is Point & AggregatedPoint {
  return 'sampleCount' in point;
}

export function isRaw(point: Point): point is Point & RawPoint {
  return !isAggregated(point);
}

/** Whether it has too few households to have numbers. */
export function isSuppressed(point: Point): boolean {
  return (point as { readonly suppressed?: boolean }).suppressed === true;
}

function sampleCountOf(point: Point): number {
  return isAggregated(point) ? point.sampleCount : 1;
}

function valueText(value: unknown): string {
  if (value === null) return 'unknown';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The colour slot of the split values of a series. */
export type SlotOf = (values: readonly unknown[]) => number;

/**
 * A value keeps its colour when filters or other series change: the slot of a series is its place among all combinations
 * of the known values of its splits. Unlisted values get a slot by a hash of their text.
 */
export function colourSlots(known: readonly (readonly string[])[]): SlotOf {
  const places = known.map(
    (values) => new Map([...values].sort(byText).map((value, i) => [value, i])),
  );
  return (values) => {
    let slot = 0;
    for (const [i, value] of values.entries()) {
      const own = places[i] ?? new Map<string, number>();
      const place = value === null ? own.size : own.get(textOf(value));
      if (place === undefined) return hashOf(JSON.stringify(values));
      slot = slot * (own.size + 1) + place;
    }
    return slot;
  };
}

/** Lists have numbers as texts. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** FNV-1a, of 24 slots: eight colours with three patterns. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash % 24;
}
