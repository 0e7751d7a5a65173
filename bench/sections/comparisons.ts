import type { Bench } from '../bench.ts';
import { queryRunner } from '../measure/query-runner.ts';
import type { Measurement } from '../measure/measurement.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { daysOf } from '../panel/bench-panel.ts';
import type { Shape } from '../panel/requests.ts';

/** The cost of comparisons, compared with the same request without. */
export async function comparisons({ stack, panel, rounds, print }: Bench): Promise<Measurement[]> {
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const half = Math.floor(made.days / 2);
  const earlier = { time: daysOf(half, half) };
  const measurements: Measurement[] = [];
  const measure = async (what: string, shape: Shape, compare: object, atMost: number) => {
    const request = { ...shape, householdIntervals: true, time: daysOf(half) };
    const { firstMs, secondMs, ratio } = await sideBySide(
      rounds,
      () => runner.service({ ...request, compare }),
      () => runner.service(request),
    );
    print(`${what}: ${firstMs.toFixed(0)} ms against ${secondMs.toFixed(0)} ms`);
    const target = { atMost };
    measurements.push({ section: 'comparisons', what, value: ratio, unit: '', target });
  };
  for (const [unit, shape] of Object.entries(units)) {
    const of = (split: string): Shape => ({ ...shape, splits: [split] });
    await measure(`${unit}, another time`, { ...shape, splits: [] }, earlier, 2.3);
    await measure(`${unit}, another time, by ISP`, of('isp'), earlier, 2.3);
    await measure(`${unit}, one ISP, by tier`, of('tier'), oneIsp, 2.3);
    await measure(`${unit}, the rest, 5 ISPs`, of('isp'), { to: 'rest' }, 4);
    // Of results, so many series exceed the memory limit: docs/statistics.md, "Comparisons".
    if (shape === results) continue;
    await measure(`${unit}, the rest, 200 regions`, of('region'), { to: 'rest' }, 4);
  }
  return measurements;
}

const results: Shape = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: false,
};

const units: Readonly<Record<string, Shape>> = {
  results,
  households: { ...results, household: { statistic: 'mean' } },
  'weighted households': {
    ...results,
    household: { statistic: 'mean' },
    weight: 'custom.weight',
  },
};

const oneIsp = {
  filters: [{ id: 'isp', filterType: 'include', filterValues: ['Northwave'] }],
};
