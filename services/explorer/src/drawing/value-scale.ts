import { scaleLinear, scaleLog } from 'd3-scale';

export interface ValueScale {
  /** Where a value is, in pixels. */
  readonly at: (value: number) => number;
  readonly valueAt: (place: number) => number;
  readonly ticks: readonly number[];
  /** The value at the beginning of the axis. */
  readonly from: number;
}

interface ValueScaleParts {
  readonly values: readonly number[];
  /** The places of the ends, in pixels. */
  readonly between: readonly [number, number];
  /** Bars are measured from 0; dots and lines may start where the values do. */
  readonly hasZero?: boolean;
  readonly isLog?: boolean | undefined;
  /** The room that a tick needs. */
  readonly room: number;
}

/** The scale of an axis, with round numbers at its ends. */
export function valueScale({
  values,
  between,
  hasZero = false,
  isLog,
  room,
}: ValueScaleParts): ValueScale {
  const isOnLog = isLog === true && values.some((value) => value > 0);
  const known = isOnLog ? values.filter((value) => value > 0) : values;
  const [low, high] = known.length === 0 ? [0, 1] : [lowest(known), highest(known)];
  const about = Math.max(2, Math.floor(Math.abs(between[1] - between[0]) / room));
  const scale = isOnLog
    ? scaleLog().domain(low === high ? [low / 2, high * 2] : [low / 1.06, high * 1.06])
    : scaleLinear()
        .domain(domainOf(low, high, hasZero))
        .nice(about);
  scale.range(between);
  return {
    // Values without a logarithm are at the edge.
    at: (value) => (isOnLog && value <= 0 ? between[0] : scale(value)),
    valueAt: (place) => scale.invert(place),
    ticks: isOnLog ? logTicks(scale.domain(), about) : scale.ticks(about),
    from: scale.domain()[0] ?? 0,
  };
}

/** Starts at 0 also if that is near; no metric is negative, but differences are. */
function domainOf(low: number, high: number, hasZero: boolean): readonly [number, number] {
  if (hasZero || (low >= 0 && low < (high - low) * 0.5)) {
    const end = Math.max(0, high);
    const start = Math.min(0, low);
    return start === end ? [0, 1] : [start, end];
  }
  return low === high
    ? [low - (Math.abs(low) * 0.2 || 1), high + (Math.abs(high) * 0.2 || 1)]
    : [low, high];
}

/** 1, 2, 5, 10 … as far as there is room, otherwise powers of ten. */
function logTicks(domain: readonly number[], about: number): readonly number[] {
  const [low = 1, high = 10] = domain;
  const within = (factors: readonly number[]) => {
    const found: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const factor of factors) {
        const tick = Number((factor * 10 ** power).toPrecision(6));
        if (tick >= low * 0.999 && tick <= high * 1.001) found.push(tick);
      }
    }
    return found;
  };
  const choices = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]].map(within);
  return choices.find((ticks) => ticks.length <= about && ticks.length > 0) ?? within([1]);
}

// Math.min(...values) fails with the number of values that a response may have.
function lowest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}
