import { isObject, type Json } from '../request/request-body.ts';

/** Regions in the order of the file. Other properties of the features are dropped. */
export interface RegionMap {
  readonly regions: readonly Region[];
}

interface Region {
  readonly name: string;
  readonly polygons: readonly Polygon[];
}

/** The outline, then its holes. */
type Polygon = readonly Ring[];
type Ring = readonly Position[];
type Position = readonly [longitude: number, latitude: number];

const maxRegions = 2_000;
const maxNameCharacters = 200;

/**
 * Parses a GeoJSON FeatureCollection of polygons. Throws an Error that names the place in the file and the rule; its
 * message completes "EXPLORER_MAP_FILE …". `choose`: how the sender names another property.
 */
export function parseRegionMap(
  content: unknown,
  property: string,
  choose = 'set EXPLORER_MAP_PROPERTY to',
): RegionMap {
  const { type, features } = fieldsOf(content);
  if (type !== 'FeatureCollection' || !Array.isArray(features)) {
    throw new Error('must be a GeoJSON FeatureCollection');
  }
  if (features.length === 0 || features.length > maxRegions) {
    throw new Error(`must have 1 to ${maxRegions} features, not ${features.length}`);
  }
  const places = new Map<string, number>();
  const regions = features.map((feature: unknown, i): Region => {
    const { properties, geometry } = fieldsOf(feature);
    const name = parseName(fieldsOf(properties), property, `features[${i}].properties`, choose);
    const earlier = places.get(name);
    if (earlier !== undefined) {
      throw new Error(
        `features[${earlier}] and features[${i}] have the same ${property}, ${JSON.stringify(name)}: make them one MultiPolygon, or ${choose} another property`,
      );
    }
    places.set(name, i);
    return { name, polygons: parseGeometry(geometry, `features[${i}].geometry`) };
  });
  return { regions };
}

function parseName(properties: Json, property: string, place: string, choose: string): string {
  const value = Object.hasOwn(properties, property) ? properties[property] : undefined;
  // Codes of regions are often numbers.
  const name = typeof value === 'number' ? String(value) : value;
  if (typeof name === 'string' && name !== '' && name.length <= maxNameCharacters) {
    // Values of fields are compared in the same form.
    return name.normalize('NFC');
  }
  const others = Object.keys(properties).slice(0, 20).join(', ');
  throw new Error(
    `${place}.${property} must be text of 1 to ${maxNameCharacters} characters or a number: ${choose} such a property; the feature has: ${others === '' ? 'none' : others}`,
  );
}

function parseGeometry(geometry: unknown, place: string): readonly Polygon[] {
  const { type, coordinates } = fieldsOf(geometry);
  const inside = `${place}.coordinates`;
  if (type === 'Polygon') return [parsePolygon(coordinates, inside)];
  if (type === 'MultiPolygon') {
    return listOf(coordinates, inside).map((one, i) => parsePolygon(one, `${inside}[${i}]`));
  }
  const given = typeof type === 'string' ? type : 'none';
  throw new Error(`${place} must be a Polygon or a MultiPolygon, not ${given}`);
}

function parsePolygon(coordinates: unknown, place: string): Polygon {
  return listOf(coordinates, place).map((ring, i) => parseRing(ring, `${place}[${i}]`));
}

function parseRing(positions: unknown, place: string): Ring {
  const ring = listOf(positions, place).map((one, i) => parsePosition(one, `${place}[${i}]`));
  const [first, last] = [ring[0], ring.at(-1)];
  if (ring.length < 4 || first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    throw new Error(`${place} must have at least 4 positions, of which the last is the first`);
  }
  return ring;
}

/** A third number, the altitude, is dropped. */
function parsePosition(value: unknown, place: string): Position {
  const [longitude, latitude] = Array.isArray(value) ? (value as unknown[]) : [];
  if (isWithin(longitude, 180) && isWithin(latitude, 90)) return [longitude, latitude];
  throw new Error(
    `${place} must be a longitude from -180 to 180 and a latitude from -90 to 90 in degrees (WGS 84): convert other coordinates, for example with ogr2ogr -t_srs EPSG:4326`,
  );
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit;
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value as unknown[];
  throw new Error(`${place} must be a list with at least one item`);
}

function fieldsOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
