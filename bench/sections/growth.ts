import type { Bench } from '../bench.ts';
import { askers } from '../measure/ask.ts';
import type { Figure } from '../measure/figure.ts';
import { median } from '../measure/quantile.ts';
import { timedMs } from '../measure/side-by-side.ts';
import { requestOver, shapes } from '../panel/questions.ts';

/** How time grows with rows, and how much of a table a short range reads. */
export async function growth({ stack, panel, rounds, say }: Bench): Promise<Figure[]> {
  const made = await panel();
  const ask = askers(stack, made.tenant.dataToken);
  const sizes = [0.1, 0.2, 0.4, 0.7, 1].map((share) => share * made.rows);
  const figures: Figure[] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    const points: Point[] = [];
    for (const rows of sizes) {
      const request = requestOver(made, shape, rows);
      await ask.service(request);
      const times: number[] = [];
      for (let i = 0; i < rounds; i++) times.push(await timedMs(() => ask.service(request)));
      points.push({ rows, ms: median(times) });
    }
    const exponent = exponentOf(points);
    say(
      `${name}: ${points.map(({ ms }) => ms.toFixed(0)).join(', ')} ms, exponent ${exponent.toFixed(2)}`,
    );
    figures.push({
      section: 'growth',
      what: `${name}: exponent`,
      value: exponent,
      unit: '',
      // Linear is 1; a tenth is what a noisy machine adds.
      target: { atMost: 1.1 },
    });
  }

  const shape = shapes['one number'];
  if (shape === undefined) throw new Error('there is no such shape');
  const day = await ask.direct(await ask.explain(requestOver(made, shape, made.rows / made.days)));
  const read = readRows(day.headers);
  figures.push({
    section: 'growth',
    what: `one day of ${made.days}: share of the table's rows read, times ${made.days}`,
    value: (made.days * read) / made.rows,
    unit: '',
    // A local day in whichever zone is 50 hours of UTC: the range must hold until agents are known.
    target: { atMost: 2.1 },
  });
  return figures;
}

interface Point {
  readonly rows: number;
  readonly ms: number;
}

/** Slope of the line through the logarithms: 1 when twice the rows take twice the time. */
function exponentOf(points: readonly Point[]): number {
  const xs = points.map(({ rows }) => Math.log(rows));
  const ys = points.map(({ ms }) => Math.log(ms));
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x0, y0] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, i) => sum + (x - x0) * ((ys[i] ?? 0) - y0), 0);
  const variance = xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
  return covariance / variance;
}

function readRows(headers: NodeJS.Dict<string | string[]>): number {
  const summary = JSON.parse(String(headers['x-clickhouse-summary'] ?? '{}')) as {
    read_rows?: string;
  };
  return Number(summary.read_rows ?? NaN);
}
