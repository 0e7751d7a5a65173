import type { Bench } from '../bench.ts';
import { askers } from '../measure/ask.ts';
import type { Figure } from '../measure/figure.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { requestOver, shapes } from '../panel/questions.ts';

/** What the service adds to a query, against the identical SQL sent to ClickHouse directly. */
export async function overhead(bench: Bench): Promise<Figure[]> {
  const { stack, panel, rounds, shortQueryRounds, say } = bench;
  const made = await panel();
  const ask = askers(stack, made.tenant.dataToken);
  const sizes = [100_000, 1_000_000, 5_000_000].filter((size) => size <= made.rows);
  const figures: Figure[] = [];
  for (const size of sizes) {
    for (const [name, shape] of Object.entries(shapes)) {
      const request = requestOver(made, shape, size);
      const direct = await ask.explain(request);
      const measured = await sideBySide(
        size === 100_000 ? shortQueryRounds : rounds,
        () => ask.service(request),
        () => ask.direct(direct),
      );
      const { firstMs, secondMs, ratio, addedMs } = measured;
      say(`${name}, ${size} rows: ${firstMs.toFixed(1)} ms, direct ${secondMs.toFixed(1)} ms`);
      const what = `${name}, ${millions(size)}`;
      const about = { section: 'overhead' } as const;
      figures.push(
        { ...about, what: `${what}: service`, value: firstMs, unit: 'ms' },
        {
          ...about,
          what: `${what}: added`,
          value: addedMs,
          unit: 'ms',
          ...(size === sizes[0] ? { target: { atMost: 5 } } : {}),
        },
        {
          ...about,
          what: `${what}: ratio, p50 of the pairs`,
          value: ratio,
          unit: '',
          ...(size === sizes.at(-1) && size > 1e6 ? { target: { atMost: 1.05 } } : {}),
        },
      );
    }
  }
  return figures;
}

function millions(rows: number): string {
  return `${rows / 1e6} M rows`;
}
