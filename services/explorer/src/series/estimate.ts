import type { AggregatedPoint, MetricPoint } from '../../../../openapi/client/index.ts';
import { differenceUnit } from './comparison-words.ts';
import { differenceText, estimateText, meanText, shareText, unitText } from '../dom/number-text.ts';
import type { QueryResponse } from '../results/query-response.ts';
import type { ConfidenceLevel, DisplayOptions } from '../state/view-state.ts';

/** The number of a point that a view draws, in the unit of its axis. */
export interface Estimate {
  readonly value: number;
  /** Null without an interval. */
  readonly low: number | null;
  readonly high: number | null;
  // Texts are made when they are read: a chart may have a hundred thousand points.
  /** With the interval and the unit: `680 ± 13 Mbit/s`, `43% (35 to 51%)`. */
  readonly text: string;
  /** The value alone, with the digits that its interval supports. */
  readonly short: string;
}

interface EstimateParts extends Pick<QueryResponse, 'query' | 'metric'> {
  readonly display: DisplayOptions;
}

/** Undefined if the point has no number to draw, for example because it is suppressed. */
export function estimateOf(point: AggregatedPoint, parts: EstimateParts): Estimate | undefined {
  if (parts.query.view === 'threshold') return shareOf(point, parts);
  return isDifferenceOverTime(parts.query) ? differenceOf(point, parts) : meanOf(point, parts);
}

/** Whether the view draws one difference per period. */
export function isDifferenceOverTime({ view, compare }: QueryResponse['query']): boolean {
  return view === 'change' && compare.over !== 'total';
}

function differenceOf(
  { difference }: Pick<MetricPoint, 'difference'>,
  { metric, display }: EstimateParts,
): Estimate | undefined {
  const value = difference?.metricValue ?? null;
  if (value === null) return undefined;
  const half = display.band === 'off' ? null : (difference?.[`ci${display.band}`] ?? null);
  return {
    value,
    low: half === null ? null : value - half,
    high: half === null ? null : value + half,
    get text() {
      return `${differenceText(value, half)} ${differenceUnit(metric)}`;
    },
    get short() {
      return differenceText(value, half, false);
    },
  };
}

function meanOf(point: AggregatedPoint, { metric, display }: EstimateParts): Estimate | undefined {
  const { metricValue: value } = point;
  if (value === null) return undefined;
  const half = display.band === 'off' ? null : halfWidth(point, display.band);
  return {
    value,
    low: half === null ? null : value - half,
    high: half === null ? null : value + half,
    get text() {
      return `${estimateText(value, half)} ${unitText(metric.unit)}`;
    },
    get short() {
      return meanText(value, half);
    },
  };
}

/** The share of households at or above the threshold, in percent; below it if lower values are better. */
function shareOf(
  { shares, sharesCi95 }: AggregatedPoint,
  { query, metric }: EstimateParts,
): Estimate | undefined {
  const key = String(query.threshold);
  const share = shares?.[key];
  if (share == null) return undefined;
  const [first, last] = sharesCi95?.[key] ?? [];
  const isBelow = metric.better === 'lower';
  const percentOf = (part: number) => 100 * (isBelow ? 1 - part : part);
  const ends = [first, last].map((end) => (end == null ? null : percentOf(end)));
  const [low = null, high = null] = isBelow ? ends.toReversed() : ends;
  const value = percentOf(share);
  return {
    value,
    low,
    high,
    get text() {
      return shareText(value, low, high);
    },
    get short() {
      return shareText(value);
    },
  };
}

/** Half of the confidence interval: with households as the sample if the request asked for it. */
function halfWidth(
  point: Pick<AggregatedPoint, `ci${ConfidenceLevel}`>,
  level: ConfidenceLevel,
): number | null {
  const name = `ciHousehold${level}`;
  // Null with fewer than two households: there is no interval then.
  const ofHouseholds = (point as unknown as Readonly<Record<string, number | null>>)[name];
  return ofHouseholds === undefined ? point[`ci${level}`] : ofHouseholds;
}
