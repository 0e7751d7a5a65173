import type { Bench } from '../bench.ts';
import { queryRunner } from '../measure/query-runner.ts';
import type { Measurement } from '../measure/measurement.ts';
import { median } from '../measure/quantile.ts';
import { timedMs } from '../measure/side-by-side.ts';
import { requestOver, shapes } from '../panel/requests.ts';

/** With fewer results, most of the time does not depend on their number. */
const smallest = 1_000_000;

/** Growth of the query time with the number of rows, and rows read for a short range. */
export async function growth({ stack, panel, rounds, print }: Bench): Promise<Measurement[]> {
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const sizes = [0.01, 0.1, 0.2, 0.4, 0.7, 1]
    .map((share) => share * made.rows)
    .filter((rows) => rows >= smallest || rows >= 0.1 * made.rows);
  const measurements: Measurement[] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    const points: Point[] = [];
    for (const rows of sizes) {
      const request = requestOver(made, shape, rows);
      await runner.service(request);
      const times: number[] = [];
      for (let i = 0; i < rounds; i++) times.push(await timedMs(() => runner.service(request)));
      points.push({ rows, ms: median(times) });
    }
    const exponent = exponentOf(points);
    print(`${name}: ${points.map(textOf).join(', ')}; exponent ${exponent.toFixed(2)}`);
    measurements.push({
      section: 'growth',
      what: `${name}: exponent`,
      value: exponent,
      unit: '',
      // Linear growth is 1; 0.1 is the tolerance for a noisy machine.
      target: { atMost: 1.1 },
    });
  }

  const shape = shapes['one number'];
  if (shape === undefined) throw new Error('the query shape is missing');
  const day = await runner.direct(
    await runner.explain(requestOver(made, shape, made.rows / made.days)),
  );
  const read = readRows(day.headers);
  measurements.push({
    section: 'growth',
    what: `one day of ${made.days}: share of the table's rows read, times ${made.days}`,
    value: (made.days * read) / made.rows,
    unit: '',
    // A local day over all time zones spans 50 hours of UTC.
    target: { atMost: 2.1 },
  });
  return measurements;
}

interface Point {
  readonly rows: number;
  readonly ms: number;
}

function textOf({ rows, ms }: Point): string {
  return `${(rows / 1e6).toFixed(1)} M ${ms.toFixed(0)} ms`;
}

/** Slope on a log-log scale: 1 when twice the rows take twice the time. */
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
