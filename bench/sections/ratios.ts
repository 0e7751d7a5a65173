import type { Bench } from '../bench.ts';
import { askers } from '../measure/ask.ts';
import type { Figure } from '../measure/figure.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { requestOver, type Shape } from '../panel/questions.ts';

/** What normalising and splitting cost, against the same question without. */
export async function ratios({ stack, panel, rounds, say }: Bench): Promise<Figure[]> {
  const made = await panel();
  const ask = askers(stack, made.tenant.dataToken);
  const compare = async (what: string, dear: Shape, plain: Shape, atMost: number) => {
    const { firstMs, secondMs, ratio } = await sideBySide(
      rounds,
      () => ask.service(requestOver(made, dear, made.rows)),
      () => ask.service(requestOver(made, plain, made.rows)),
    );
    say(`${what}: ${firstMs.toFixed(0)} ms against ${secondMs.toFixed(0)} ms`);
    return { section: 'ratios', what, value: ratio, unit: '', target: { atMost } };
  };
  const figures: Figure[] = [];
  for (const aggregation of ['daily', 'weekly']) {
    const shape = { ...daily, aggregation };
    const normalised = { ...shape, normalised: true };
    figures.push(await compare(`${aggregation}: normalised against plain`, normalised, shape, 3));
  }
  for (const split of ['isp', 'package', 'tier']) {
    const bySplit = { ...daily, splits: [split] };
    figures.push(await compare(`daily: split by ${split} against none`, bySplit, daily, 2.5));
  }
  return figures;
}

const daily: Shape = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'daily',
  normalised: false,
  prefilter: false,
};
