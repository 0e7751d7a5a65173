import { expect } from 'chai';
import { sampleHouseholds } from '../../../deploy/local/sample/panel/sample-households.ts';
import { sampleLine } from '../../../deploy/local/sample/panel/sample-packages.ts';
import { sampleRange } from '../../../deploy/local/sample/panel/sample-range.ts';
import { Random } from '../../property/random.ts';
import { normalNumbers } from '../../support/normal-numbers.ts';
import { openPanel, type Panel } from './open-panel.ts';

// Each hour and target is a panel of its own, and in all of them both sides have the same distribution: at most 6 % of
// 2,000 may have a p below 0.05, as the standard error of 5 % is 0.5 %. The seed is fixed.
describe('a comparison of equal sides', () => {
  let panel: Panel;
  const hours = 400;
  const targets = ['a', 'b', 'c', 'd', 'e'];
  const normal = normalNumbers(20_261_119);
  const speeds = sampleSpeeds();
  const random = new Random(20_261_119);
  const ofSample = () => random.pick(speeds);
  /** The households of both sides, and how a household's value is drawn. */
  const cases = [
    {
      name: 'five and five',
      here: agents(1, 5),
      there: agents(6, 10),
      drawn: () => 100 + 10 * normal(),
    },
    {
      name: 'the same five',
      here: agents(11, 15),
      there: agents(11, 15),
      drawn: () => 100 + 10 * normal(),
    },
    {
      name: 'five and fifty',
      here: agents(21, 25),
      there: agents(26, 75),
      drawn: () => 100 + 10 * normal(),
    },
    {
      name: 'eight, of which five are on both sides',
      here: agents(81, 88),
      there: agents(84, 91),
      drawn: () => 100 + 10 * normal(),
    },
    {
      name: '25 of the sample panel',
      here: agents(101, 125),
      there: agents(126, 150),
      drawn: ofSample,
    },
    {
      name: 'eight of the sample panel',
      here: agents(161, 168),
      there: agents(169, 176),
      drawn: ofSample,
    },
  ];

  before(async () => {
    panel = await openPanel();
    const all = cases.flatMap(({ name, here, there }) =>
      [...new Set([...here, ...there])].map((agent) => ({ agent, custom: { tier: name } })),
    );
    await panel.agents(...all);
    for (const { here, there, drawn } of cases) {
      const rows = targets.flatMap((target) =>
        Array.from({ length: hours }, (_, hour) => {
          const level = new Map([...here, ...there].map((agent) => [agent, drawn()]));
          return [here, there].flatMap((side, i) =>
            side.map((agent) => ({
              agent,
              target,
              threads: sides[i],
              dtime: new Date(Date.UTC(2026, 0, 1, hour, 10 + i)).toISOString().slice(0, 19),
              bytes_sec: Math.round((level.get(agent)! + normal() * 3) * 125_000),
            })),
          );
        }).flat(),
      );
      await panel.results('httpget', rows);
    }
  });
  after(() => panel.close());

  for (const { name } of cases) {
    it(`has a p below 0.05 in at most 6 % of 2,000 panels: ${name}`, async () => {
      const points = await panel.query(1, {
        aggregation: 'hourly',
        splits: ['target'],
        household: { statistic: 'mean' },
        time: { from: '2026-01-01', to: '2026-01-31' },
        filters: ofSide(name, sides[0]),
        compare: { filters: ofSide(name, sides[1]) },
      });
      expect(points).to.have.length(hours * targets.length);
      const small = points.filter(({ difference }) => (difference as { p: number }).p < 0.05);
      expect((100 * small.length) / points.length).to.be.within(1, 6);
      // Of all 2,000 together none is left.
      const adjusted = points.filter(
        ({ difference }) => (difference as { pAdjusted: number }).pAdjusted < 0.05,
      );
      expect(adjusted.length).to.be.at.most(2);
    });
  }
});

/** Numbers of threads, by which the sides are filtered. */
const sides = [1, 8] as const;

function ofSide(tier: string, threads: number) {
  return [
    { id: 'custom.tier', filterType: 'include', filterValues: [tier] },
    { id: 'threads', filterType: 'include', filterValues: [String(threads)] },
  ];
}

function agents(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** The lines of the households of the sample panel, in Mbit/s. */
function sampleSpeeds(): readonly [number, ...number[]] {
  const range = sampleRange(new Date('2026-11-01T00:00:00Z'));
  const [first = NaN, ...others] = sampleHouseholds(1, range).flatMap(({ facts }) =>
    facts === null ? [] : [sampleLine(facts.isp, facts.packageName).downMbps],
  );
  return [first, ...others];
}
