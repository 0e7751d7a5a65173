import { expect } from 'chai';
import {
  boundsOf,
  hatchLines,
  isInside,
  labelPlace,
  projected,
} from '../../../services/explorer/src/views/map-projection.ts';

type Place = readonly [number, number];

/** 20 by 20, with a hole of 10 by 10 in the middle. */
const withHole = [box(0, 0, 20, 20), box(5, 5, 15, 15)];

describe('the shapes of a map', () => {
  it('know what is inside, and what is a hole', () => {
    expect(isInside(withHole, 2, 10)).to.equal(true);
    expect(isInside(withHole, 10, 10)).to.equal(false);
    expect(isInside(withHole, 21, 10)).to.equal(false);
    // A row of corners is crossed once.
    expect(isInside(withHole, 2, 5)).to.equal(true);
  });

  for (const direction of ['up', 'down'] as const) {
    it(`are hatched ${direction}wards inside, not in holes`, () => {
      const lines = hatchLines(withHole, 4, direction);
      expect(lines).to.have.length.greaterThan(6);
      for (const [[x1, y1], [x2, y2]] of lines as unknown as [Place, Place][]) {
        expect(isInside(withHole, (x1 + x2) / 2, (y1 + y2) / 2)).to.equal(true);
        const slope = (y2 - y1) / (x2 - x1);
        expect(slope).to.be.closeTo(direction === 'up' ? -1 : 1, 1e-9);
      }
    });
  }

  it('are labelled in the largest part, beside its hole', () => {
    const { x, y, room } = labelPlace([box(100, 100, 104, 104), ...withHole]);
    expect(isInside(withHole, x, y)).to.equal(true);
    expect(room).to.equal(5);
  });

  it('fill the width or the height, north up, in true proportions at the middle latitude', () => {
    // One degree of longitude at 60 degrees is half as long as one of latitude.
    const map = { regions: [{ name: 'a', polygons: [[box(10, 59, 14, 61)]] }] };
    const { height, regions } = projected(map, 400, 1_000);
    expect(height).to.be.closeTo(400, 1e-6);
    expect(boundsOf(regions[0]!.rings).width).to.be.closeTo(400, 1e-6);
    expect(regions[0]!.rings[0]![0]![1]).to.be.closeTo(400, 1e-6);
    const low = projected(map, 400, 100);
    expect(low.height).to.be.closeTo(100, 1e-6);
    // In the middle of the width.
    expect(boundsOf(low.regions[0]!.rings).x).to.be.closeTo(150, 1e-6);
  });

  it('are one piece on both sides of 180 degrees', () => {
    const regions = [box(178, -18, 180, -16), box(-180, -18, -179, -16)].map((ring, i) => ({
      name: String(i),
      polygons: [[ring]],
    }));
    const [west, east] = projected({ regions }, 300, 1_000).regions.map(({ rings }) =>
      boundsOf(rings),
    );
    expect(west!.width).to.be.closeTo(200, 1e-6);
    expect(east!.x).to.be.closeTo(200, 1e-6);
    expect(east!.width).to.be.closeTo(100, 1e-6);
  });
});

function box(left: number, top: number, right: number, bottom: number): readonly Place[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ];
}
