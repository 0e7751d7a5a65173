import { ApiError } from './api-error.ts';

/** The regions that the operator supplied, in longitudes and latitudes. */
export interface RegionMap {
  readonly regions: readonly MapRegion[];
}

interface MapRegion {
  readonly name: string;
  /** Each is an outline and its holes. */
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

type Position = readonly [longitude: number, latitude: number];

let loaded: RegionMap | undefined;

/** Loads the map with the first map view. Rejects with an ApiError. */
export async function loadRegionMap(): Promise<RegionMap> {
  if (loaded !== undefined) return loaded;
  try {
    const response = await fetch('/explorer/map.json');
    if (!response.ok) throw new Error(String(response.status));
    loaded = (await response.json()) as RegionMap;
    return loaded;
  } catch {
    throw new ApiError(0, 'UNREACHABLE', 'The map could not be loaded. Try again.');
  }
}
