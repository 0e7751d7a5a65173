import type { Bench } from '../bench.ts';
import { queryRunner } from '../measure/query-runner.ts';
import type { Measurement } from '../measure/measurement.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { requestOver, type Shape } from '../panel/requests.ts';
import { bareStatistics } from './bare-statistics.ts';

/** The cost of metadata, local time, normalising and splitting, compared with the same query without. */
export async function ratios({ stack, panel, rounds, print }: Bench): Promise<Measurement[]> {
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const compare = async (what: string, expensive: Shape, plain: Shape, atMost: number) => {
    const { firstMs, secondMs, ratio } = await sideBySide(
      rounds,
      () => runner.service(requestOver(made, expensive, made.rows)),
      () => runner.service(requestOver(made, plain, made.rows)),
    );
    print(`${what}: ${firstMs.toFixed(0)} ms against ${secondMs.toFixed(0)} ms`);
    return { section: 'ratios', what, value: ratio, unit: '', target: { atMost } };
  };
  const { url } = await runner.explain(requestOver(made, daily, made.rows));
  const bare = { url, sql: `${bareStatistics(made)}\nFORMAT JSONEachRow` };
  const againstBare = async (what: string, shape: Shape, atMost: number) => {
    const { firstMs, secondMs, ratio } = await sideBySide(
      rounds,
      () => runner.service(requestOver(made, shape, made.rows)),
      () => runner.direct(bare),
    );
    print(`${what}: ${firstMs.toFixed(0)} ms against ${secondMs.toFixed(0)} ms`);
    return { section: 'ratios', what, value: ratio, unit: '', target: { atMost } };
  };
  const measurements: Measurement[] = [
    await againstBare('daily against the same statistics in ClickHouse, by UTC day', daily, 1.3),
  ];
  for (const aggregation of ['daily', 'weekly']) {
    const shape = { ...daily, aggregation };
    const normalised = { ...shape, normalised: true };
    measurements.push(
      await compare(`${aggregation}: normalised against plain`, normalised, shape, 1.5),
    );
  }
  for (const [split, atMost] of [
    ['isp', 2.5],
    ['package', 2.5],
    ['tier', 1.2],
  ] as const) {
    const bySplit = { ...daily, splits: [split] };
    measurements.push(
      await compare(`daily: split by ${split} against none`, bySplit, daily, atMost),
    );
  }
  return measurements;
}

const daily: Shape = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'daily',
  normalised: false,
  prefilter: false,
};
