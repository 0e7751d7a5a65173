import { expect } from 'chai';
import { attackPoints } from './attack-points.ts';
import { propertySeed } from './property-panel.ts';

/** `make proof-correctness` attacks 20,000. */
const wanted = Number(process.env.FLOOR_ATTACK_POINTS ?? 4000);

describe('a caller with a privacy floor who knows the metadata of all households', function () {
  this.timeout(600_000 + wanted * 200);

  it(`cannot tie a value to one of them by any of ${wanted} points`, async () => {
    const { points, recovered } = await attackPoints(wanted, propertySeed);
    expect(points).to.be.at.least(wanted);
    const what = `${recovered.length} values, repeat with PROPERTY_SEED=${propertySeed}`;
    // More would be too long for the test's message.
    expect(recovered.slice(0, 10), what).to.deep.equal([]);
  });
});
