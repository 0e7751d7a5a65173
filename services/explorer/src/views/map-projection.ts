import type { RegionMap } from '../api/region-map.ts';
import type { Place } from '../picture/shapes.ts';
import { boundsOf, type Rings } from './polygon-lines.ts';

interface ProjectedMap {
  readonly height: number;
  /** In the order of the map. */
  readonly regions: readonly { readonly name: string; readonly rings: Rings }[];
}

/**
 * The regions in pixels, as large as the width and the height allow. Equirectangular, with the true width of a degree
 * at the middle latitude: sizes can be compared within a country.
 */
export function projected({ regions }: RegionMap, width: number, maxHeight: number): ProjectedMap {
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
