import { expect } from 'chai';
import { normalNumbers } from '../../support/normal-numbers.ts';
import { openPanel, type Panel, type Row } from './open-panel.ts';

const january = { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' };

// Each hour and target is a sample of all households of a group, drawn anew: the true mean must be in 95 % of the
// intervals. 1,200 samples have a standard error of 0.6 %; the seed is fixed.
describe('intervals with households as the sample', () => {
  let panel: Panel;
  const trueMean = 100;
  const hours = 400;
  const targets = ['a', 'b', 'c'];
  const groups = [
    { name: 'five', households: 5, firstAgent: 1 },
    { name: 'ten', households: 10, firstAgent: 101 },
    { name: 'twenty-five', households: 25, firstAgent: 201 },
  ];
  const small = groups.slice(0, 2);

  before(async () => {
    panel = await openPanel();
    const agents = groups.flatMap(({ name, households, firstAgent }) =>
      Array.from({ length: households }, (_, i) => ({
        agent: firstAgent + i,
        // Weights from 1 to 2.
        custom: { tier: name, weight: String(1 + (i % 3) / 2) },
        custom_number_keys: ['weight'],
      })),
    );
    await panel.agents(...agents);
    const normal = normalNumbers(20_261_118);
    const rows = agents.flatMap(({ agent }) =>
      targets.flatMap((target) =>
        Array.from({ length: hours }, (_, hour) => {
          const household = normal() * 10;
          return [10, 40].map((minute) => ({
            agent,
            target,
            dtime: clockOf(hour, minute),
            bytes_sec: Math.round((trueMean + household + normal() * 3) * 125_000),
          }));
        }).flat(),
      ),
    );
    await panel.results('httpget', rows);
  });
  after(() => panel.close());

  const cases: readonly (readonly [string, Row, string])[] = [
    ['agent_agg', { agent_agg: true }, 'ci'],
    ['agent_agg, normalised', { agent_agg: true, normalised: true }, 'ci'],
    ['household', { household: { statistic: 'mean' } }, 'ci'],
    ['weights', { household: { statistic: 'mean' }, weight: 'custom.weight' }, 'ci'],
    ['results', { householdIntervals: true }, 'ciHousehold'],
    ['results, normalised', { householdIntervals: true, normalised: true }, 'ciHousehold'],
  ];
  for (const [name, fields, prefix] of cases) {
    it(`contain the true mean in 90, 95 and 99 % of samples of 5 and 10 households: ${name}`, async () => {
      for (const group of small) {
        const points = await pointsOf(group.name, fields);
        expect(points).to.have.length(hours * targets.length);
        for (const percent of [90, 95, 99]) {
          const share = coverage(points, `${prefix}${percent}`);
          // Unequal weights cost less than one percent.
          expect(share, `${group.name}, ${percent} %`).to.be.within(percent - 2, percent + 2);
        }
      }
    });
  }

  const medians: readonly (readonly [string, Row])[] = [
    ['household', { household: { statistic: 'mean' } }],
    ['weights', { household: { statistic: 'mean' }, weight: 'custom.weight' }],
    ['lower', { household: { statistic: 'mean' }, percentileRule: 'lower' }],
    ['strata', { household: { statistic: 'mean' }, strata: 'custom.weight' }],
    ['results', {}],
  ];
  for (const [name, fields] of medians) {
    it(`contain the true median in about 95 % of samples of 25 households: ${name}`, async () => {
      const points = await pointsOf('twenty-five', { ...fields, householdIntervals: true });
      expect(points).to.have.length(hours * targets.length);
      const inside = points.filter(({ medianCi95 }) => {
        const [low, high] = medianCi95 as [number, number];
        return low <= trueMean && trueMean <= high;
      });
      expect((100 * inside.length) / points.length).to.be.within(93, 97);
    });
  }

  it('are those of the contract for results, which take dependent results as independent', async () => {
    const points = await pointsOf('ten', { householdIntervals: true });
    expect(coverage(points, 'ci95')).to.be.below(85);
    const [point] = points;
    const { stdDev, sampleCount } = point as { stdDev: number; sampleCount: number };
    expect(point?.ci95).to.be.closeTo((1.959964 * stdDev) / Math.sqrt(sampleCount), 1e-9);
  });

  it('are equal in both columns, and null for one household', async () => {
    const request = { household: { statistic: 'mean' }, householdIntervals: true };
    for (const weight of [undefined, 'custom.weight']) {
      for (const point of await pointsOf('five', { ...request, weight })) {
        expect(point.ci90).to.equal(point.ciHousehold90);
        expect(point.ci95).to.equal(point.ciHousehold95);
        expect(point.ci99).to.equal(point.ciHousehold99);
      }
      const filters = [{ id: 'agent', filterType: 'include', filterValues: ['agent-1'] }];
      const [alone] = await pointsOf('five', { ...request, weight, filters });
      expect(alone).to.include({ agentCount: 1, stdDev: 0, ci95: null, ciHousehold95: null });
    }
  });

  async function pointsOf(group: string, fields: Row): Promise<readonly Row[]> {
    const filter = { id: 'custom.tier', filterType: 'include', filterValues: [group] };
    const request = {
      aggregation: 'hourly',
      splits: ['target'],
      time: january,
      ...fields,
      filters: [filter, ...((fields.filters as Row[] | undefined) ?? [])],
    };
    return panel.query(1, request);
  }

  function coverage(points: readonly Row[], name: string): number {
    const inside = points.filter(
      (point) => Math.abs(Number(point.metricValue) - trueMean) <= Number(point[name]),
    );
    return (100 * inside.length) / points.length;
  }
});

/** `2026-01-01 13:10:00`, some hours after the start of January. */
function clockOf(hour: number, minute: number): string {
  const time = new Date(Date.UTC(2026, 0, 1, hour, minute));
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
