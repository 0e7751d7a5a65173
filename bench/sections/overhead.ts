import type { Bench } from '../bench.ts';
import { cpuSeconds } from '../measure/cpu-seconds.ts';
import { queryRunner } from '../measure/query-runner.ts';
import type { Measurement } from '../measure/measurement.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { requestOver, shapes } from '../panel/requests.ts';

/** The overhead of the service, compared with the identical SQL sent to ClickHouse directly. */
export async function overhead(bench: Bench): Promise<Measurement[]> {
  const { stack, panel, rounds, shortQueryRounds, print } = bench;
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const sizes = [100_000, 1_000_000, 5_000_000].filter((size) => size <= made.rows);
  const measurements: Measurement[] = [];
  for (const size of sizes) {
    for (const [name, shape] of Object.entries(shapes)) {
      const request = requestOver(made, shape, size);
      const direct = await runner.explain(request);
      const measured = await sideBySide(
        size === 100_000 ? shortQueryRounds : rounds,
        () => runner.service(request),
        () => runner.direct(direct),
      );
      const { firstMs, secondMs, ratio, addedMs } = measured;
      print(`${name}, ${size} rows: ${firstMs.toFixed(1)} ms, direct ${secondMs.toFixed(1)} ms`);
      const what = `${name}, ${millions(size)}`;
      const about = { section: 'overhead' } as const;
      if (size === sizes[0]) {
        const cpu = await cpuSeconds(stack, stack.queryOpsUrl, () =>
          repeated(shortQueryRounds, () => runner.service(request)),
        );
        const perRequestMs = (seconds: number) => (seconds * 1000) / shortQueryRounds;
        measurements.push(
          {
            ...about,
            what: `${what}: CPU of the service`,
            value: perRequestMs(cpu.service),
            unit: 'ms',
          },
          {
            ...about,
            what: `${what}: CPU of Postgres`,
            value: perRequestMs(cpu.postgres),
            unit: 'ms',
          },
        );
      }
      measurements.push(
        { ...about, what: `${what}: service`, value: firstMs, unit: 'ms' },
        {
          ...about,
          what: `${what}: added`,
          value: addedMs,
          unit: 'ms',
          ...(size === sizes[0] ? { target: { atMost: 3 } } : {}),
        },
        {
          ...about,
          what: `${what}: ratio, p50 of the pairs`,
          value: ratio,
          unit: '',
          ...(size === sizes.at(-1) && size > 1e6 ? { target: { atMost: 1.02 } } : {}),
        },
      );
    }
  }
  return measurements;
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await work();
}

function millions(rows: number): string {
  return `${rows / 1e6} M rows`;
}
