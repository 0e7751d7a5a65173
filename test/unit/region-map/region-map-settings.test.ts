import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseRegionMap } from '../../../services/query/region-map/parse-region-map.ts';
import { regionMapProblem } from '../../../services/query/region-map/region-map-settings.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const square = [
  [0, 50],
  [1, 50],
  [1, 51],
  [0, 50],
];
const polygon = { type: 'Polygon', coordinates: [square] };

describe('the file of a map', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-map-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has regions of one or several polygons, by a property that is a text or a number', () => {
    const islands = { type: 'MultiPolygon', coordinates: [[square], [square, square]] };
    const map = collection([
      feature(polygon, { code: 12, owner: 'not for the page' }),
      feature(islands, { code: 'I\u0302sles' }),
    ]);
    expect(parseRegionMap(map, 'code')).to.deep.equal({
      regions: [
        { name: '12', polygons: [[square]] },
        { name: 'Îsles', polygons: [[square], [square, square]] },
      ],
    });
  });

  it('of the sample panel is valid', () => {
    const file = join(repositoryRoot, 'deploy/local/sample/regions.geojson');
    expect(problemOf(file)).to.equal(undefined);
  });

  for (const [what, content, problem] of [
    ['no JSON', '{', /^EXPLORER_MAP_FILE is not JSON: .*map\.geojson/],
    ['another JSON', '[]', 'EXPLORER_MAP_FILE must be a GeoJSON FeatureCollection'],
    ['no features', collection([]), 'EXPLORER_MAP_FILE must have 1 to 2000 features, not 0'],
    [
      'another property',
      collection([feature(polygon, { NAME_1: 'x', iso: 'y' })]),
      'EXPLORER_MAP_FILE features[0].properties.name must be text of 1 to 200 characters or a number: set EXPLORER_MAP_PROPERTY to such a property; the feature has: NAME_1, iso',
    ],
    [
      'a property of every object',
      collection([feature(polygon, {})]),
      /features\[0\]\.properties\.toString must be text/,
    ],
    [
      'the same name twice',
      collection([feature(polygon), feature(polygon, { name: 'b' }), feature(polygon)]),
      /^EXPLORER_MAP_FILE features\[0\] and features\[2\] have the same name, "a": make them one MultiPolygon/,
    ],
    [
      'points',
      collection([feature({ type: 'Point', coordinates: [0, 1] })]),
      'EXPLORER_MAP_FILE features[0].geometry must be a Polygon or a MultiPolygon, not Point',
    ],
    [
      'an open outline',
      collection([feature({ type: 'Polygon', coordinates: [square.slice(0, 3)] })]),
      'EXPLORER_MAP_FILE features[0].geometry.coordinates[0] must have at least 4 positions, of which the last is the first',
    ],
    [
      'metres',
      collection([
        feature({ type: 'MultiPolygon', coordinates: [[square], [[[530_000, 180_000]]]] }),
      ]),
      /^EXPLORER_MAP_FILE features\[0\]\.geometry\.coordinates\[1\]\[0\]\[0\] must be a longitude .* ogr2ogr/,
    ],
    [
      'more than 5 MB',
      `"${'x'.repeat(5 * 1024 * 1024)}"`,
      /^EXPLORER_MAP_FILE must have at most 5242880 bytes, not 5242882: simplify/,
    ],
  ] as const) {
    it(`is refused with ${what}`, () => {
      const file = join(folder, 'map.geojson');
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      const property = what === 'a property of every object' ? 'toString' : 'name';
      const found = problemOf(file, property);
      if (typeof problem === 'string') expect(found).to.equal(problem);
      else expect(found).to.match(problem);
    });
  }

  it('is refused if it cannot be read, and without a field', () => {
    const missing = join(folder, 'none.geojson');
    expect(problemOf(missing)).to.equal(`EXPLORER_MAP_FILE cannot be read: ${missing} (ENOENT)`);
    expect(problemOf(missing, 'name', '')).to.match(/^EXPLORER_MAP_FIELD is not set/);
    expect(problemOf('', 'name', '')).to.equal(undefined);
  });
});

function problemOf(explorerMapFile: string, explorerMapProperty = 'name', field = 'region') {
  return regionMapProblem({ explorerMapFile, explorerMapProperty, explorerMapField: field });
}

function collection(features: readonly object[]): object {
  return { type: 'FeatureCollection', features };
}

function feature(geometry: object, properties: object = { name: 'a' }): object {
  return { type: 'Feature', properties, geometry };
}
