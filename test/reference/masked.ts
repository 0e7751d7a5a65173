import type { Columns } from './metric-definition.ts';
import type { Panel } from './panel.ts';
import type { Point, Series } from './result.ts';

// Published values that are only bounds. A response is computed with the lowest and with the highest values that may be
// behind the masks; what differs is unknown.

/** How much of a point is masked. A symbol: it is not in responses. */
export const maskedFact = Symbol('masked values of a point');

export interface MaskedValues {
  /** Households or results: `maskedCount`. */
  readonly count: number;
  /** The households with a masked value. */
  readonly agents: ReadonlySet<string>;
}

export function isMasked({ masked = '' }: Columns, column: string): boolean {
  return String(masked)
    .split(' ')
    .some((word) => word.startsWith(`${column}:`));
}

const beyond = {
  lowest: { above: 1, below: -2 },
  highest: { above: 2, below: -1 },
};

/** A million Mbit/s, milliseconds, seconds, percent or outages, in the unit of the column. */
function unitOf(column: string): number {
  if (/^(busy_)?(down|up)load/.test(column)) return 1.25e11;
  if (/latency|jitter|dns_mean/.test(column)) return 1e9;
  return /web|startup/.test(column) ? 1e12 : 1e6;
}

/** The panel with assumed values behind the masks, or without masked values. */
export function assumed(panel: Panel, values: 'lowest' | 'highest' | 'left out'): Panel {
  const rows = panel.rows.panel.map((row) => {
    const words = String(row.columns.masked ?? '')
      .split(' ')
      .filter((word) => word !== '');
    const replaced = words.map((word) => {
      const [column, side] = word.split(':') as [string, 'above' | 'below'];
      if (values === 'left out') return [column, null] as const;
      const isBound = (values === 'lowest') === (side === 'above');
      const bound = isBound ? row.columns[column] : null;
      return [column, bound ?? beyond[values][side] * unitOf(column)] as const;
    });
    return { ...row, columns: { ...row.columns, ...Object.fromEntries(replaced) } };
  });
  return { ...panel, rows: { ...panel.rows, panel: rows } };
}

/** The response with the numbers that are the same in both. */
export function known(lowest: readonly Series[], highest: readonly Series[]): readonly Series[] {
  return lowest.map(({ metricData }, i) => ({
    metricData: metricData.map((point, j) => knownPoint(point, highest[i]!.metricData[j]!)),
  }));
}

function knownPoint(low: Point, high: Point): Point {
  const { compared, ...own } = low;
  return {
    ...knownNumbers(own, high),
    ...(compared === undefined
      ? {}
      : { compared: knownNumbers(compared as Point, high.compared as Point) }),
  };
}

const needsAllValues = /^(metricValue|stdDev|ci)|Ci95$/;

/** What a comparison computes from both sides is the same in both, or null. */
const ofBothSides = ['difference', 'households', 'change'];

function knownNumbers(low: Point, high: Point): Point {
  const isMaskedPoint = maskedIn(low).count > 0;
  return Object.fromEntries(
    Object.entries(low).map(([name, value]) => [
      name,
      ofBothSides.includes(name)
        ? value
        : needsAllValues.test(name)
          ? isMaskedPoint
            ? withoutNumbers(value)
            : value
          : sameIn(value, high[name]),
    ]),
  );
}

export function maskedIn(point: Point | undefined): MaskedValues {
  const of = point as { readonly [maskedFact]?: MaskedValues } | undefined;
  return of?.[maskedFact] ?? { count: 0, agents: new Set() };
}

function withoutNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumbers);
  return isObject(value) ? mapped(value, withoutNumbers) : null;
}

function sameIn(low: unknown, high: unknown): unknown {
  if (isObject(low) && isObject(high)) {
    return mapped(low, (value, name) => sameIn(value, high[name]));
  }
  // Suppressed in either.
  if (typeof low === 'boolean') return low || high === true;
  // A trim may leave no household in one of them: then the number of the other is not known.
  if (typeof low === 'number' && high === null) return null;
  if (typeof low !== 'number' || typeof high !== 'number') return low;
  return Math.abs(low - high) <= 1e-8 + 1e-9 * Math.abs(low) ? low : null;
}

function mapped(
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, name: string) => unknown,
) {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(value, name)]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
