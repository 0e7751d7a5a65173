import type { Place } from '../drawing/shapes.ts';

/** Regions in longitudes and latitudes. Each polygon is an outline and its holes. */
export interface RegionMap {
  readonly regions: readonly {
    readonly name: string;
    readonly polygons: readonly (readonly (readonly Place[])[])[];
  }[];
}

/**
 * The regions in pixels, as large as the width and the height allow, in the order of the map. Equirectangular, with
 * the true width of a degree at the middle latitude, so that sizes within a country are comparable.
 */
export function projected({ regions }: RegionMap, width: number, maxHeight: number) {
  const shift = longitudeShift(regions.flatMap(({ polygons }) => polygons.flat()));
  const inDegrees = regions.map(({ name, polygons }) => ({
    name,
    rings: polygons.flatMap((rings) =>
      rings.map((ring) => ring.map(([longitude, latitude]): Place => [shift(longitude), latitude])),
    ),
  }));
  const bounds = boundsOf(inDegrees.flatMap(({ rings }) => rings));
  const middle = bounds.y + bounds.height / 2;
  // At a pole a degree has no width.
  const stretch = Math.max(0.05, Math.cos((middle * Math.PI) / 180));
  const scale = Math.min(
    width / Math.max(bounds.width * stretch, 1e-6),
    maxHeight / Math.max(bounds.height, 1e-6),
  );
  const left = (width - bounds.width * stretch * scale) / 2;
  const place = ([longitude, latitude]: Place): Place => [
    left + (longitude - bounds.x) * stretch * scale,
    (bounds.y + bounds.height - latitude) * scale,
  ];
  return {
    height: bounds.height * scale,
    regions: inDegrees.map(({ name, rings }) => ({
      name,
      rings: rings.map((ring) => ring.map(place)),
    })),
  };
}

/** Fiji is on both sides of 180 degrees: western longitudes then continue after the eastern ones. */
function longitudeShift(rings: Rings): (longitude: number) => number {
  const shifted = (longitude: number) => (longitude < 0 ? longitude + 360 : longitude);
  const moved = rings.map((ring) => ring.map(([x, y]): Place => [shifted(x), y]));
  return boundsOf(moved).width < boundsOf(rings).width ? shifted : (longitude) => longitude;
}

/** Outlines and holes; a place is inside if a line from it crosses them an odd number of times. */
export type Rings = readonly (readonly Place[])[];

export function isInside(rings: Rings, x: number, y: number): boolean {
  return insideSpans(rings, y).some(([from, to]) => x >= from && x < to);
}

/** Parallel lines at 45 degrees inside of a polygon. Drawn as lines, they look the same in SVG and PNG files. */
export function hatchLines(
  rings: Rings,
  gap: number,
  direction: 'up' | 'down',
): readonly (readonly Place[])[] {
  const sign = direction === 'up' ? 1 : -1;
  // In coordinates that are turned by 45 degrees the lines are horizontal.
  const turned = rings.map((ring) => ring.map(([x, y]): Place => [sign * x - y, sign * x + y]));
  const heights = turned.flatMap((ring) => ring.map(([, v]) => v));
  const step = gap * Math.SQRT2;
  const lines: (readonly Place[])[] = [];
  // Multiples of the step, so that the lines of neighbours meet.
  for (let v = Math.ceil(lowest(heights) / step) * step; v <= highest(heights); v += step) {
    for (const span of insideSpans(turned, v)) {
      lines.push(span.map((u): Place => [(sign * (u + v)) / 2, (v - u) / 2]));
    }
  }
  return lines;
}

/** Where a label fits: the middle of the widest part, halfway down the largest outline. */
export function labelPlace(rings: Rings) {
  let [largest, size] = [rings[0] ?? [], 0];
  for (const ring of rings) {
    const { width, height } = boundsOf([ring]);
    if (width * height > size) [largest, size] = [ring, width * height];
  }
  const { y: top, height } = boundsOf([largest]);
  const y = top + height / 2;
  const spans = insideSpans(rings, y);
  const [from, to] = spans.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]))[0] ?? [0, 0];
  return { x: (from + to) / 2, y, room: to - from };
}

export function boundsOf(rings: Rings) {
  const xs = rings.flatMap((ring) => ring.map(([x]) => x));
  const ys = rings.flatMap((ring) => ring.map(([, y]) => y));
  const [x, y] = [lowest(xs), lowest(ys)];
  return { x, y, width: highest(xs) - x, height: highest(ys) - y };
}

/** The parts of a horizontal line that are inside, from left to right. */
function insideSpans(rings: Rings, y: number): readonly (readonly [number, number])[] {
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = [ring[i - 1], ring[i]];
      // An end belongs to one of its two edges, so that a corner is not counted twice.
      if (y1 <= y !== y2 <= y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
  }
  crossings.sort((a, b) => a - b);
  return crossings.flatMap((from, i) => {
    const to = crossings[i + 1] ?? from;
    // A line through the tip of a polygon has no length.
    return i % 2 === 0 && to > from ? [[from, to] as const] : [];
  });
}

// Math.min(...values) fails with the number of positions that a file may have.
function lowest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Infinity);
}

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}
