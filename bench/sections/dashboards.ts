import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { quantile } from '../measure/quantile.ts';
import { benchPanel, type BenchPanel } from '../panel/bench-panel.ts';
import { type MetricRequest, requestOver, shapes } from '../panel/requests.ts';

const dashboardCount = 16;

/**
 * Dashboards of six requests, all opened at once, as computed and from stored answers; and one dashboard of another
 * organisation, alone and among them.
 */
export async function dashboards({ stack, panel, print }: Bench): Promise<Measurement[]> {
  const large = await panel();
  const small = await benchPanel(stack, Math.ceil(large.rows / 50));
  const measurements: Measurement[] = [];
  const alone = await opened(small, computed);
  measurements.push(...report('another organisation, alone', alone));
  for (const [name, headers] of [
    ['computed', computed],
    ['stored', {}],
  ] as const) {
    // Once before, so that answers are stored.
    if (name === 'stored') await openedTogether(1, headers);
    const { times, other } = await openedTogether(dashboardCount, headers);
    measurements.push(
      ...report(`${dashboardCount} dashboards, ${name}`, times),
      ...report(`another organisation among ${dashboardCount}, ${name}`, other),
    );
  }
  return measurements;

  async function openedTogether(count: number, headers: Record<string, string>) {
    const [other, ...times] = await Promise.all([
      opened(small, headers),
      ...Array.from({ length: count }, () => opened(large, headers)),
    ]);
    return { times: times.flat(), other };
  }

  /** The times of the requests of one dashboard, with the waits that a 429 demands. */
  function opened(made: BenchPanel, headers: Record<string, string>): Promise<number[]> {
    return Promise.all(dashboardOf(made).map((request) => answeredMs(made, request, headers)));
  }

  async function answeredMs(
    { tenant }: BenchPanel,
    request: MetricRequest,
    headers: Record<string, string>,
  ): Promise<number> {
    const startedMs = performance.now();
    for (;;) {
      const response = await fetch(`${stack.queryUrl}/metric_data`, {
        method: 'POST',
        headers: {
          ...headers,
          authorization: tenant.dataToken,
          'content-type': 'application/json',
        },
        body: JSON.stringify(request),
      });
      const text = await response.text();
      if (response.ok) return performance.now() - startedMs;
      if (response.status !== 429) throw new Error(`${response.status}: ${text}`);
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  function report(what: string, times: readonly number[]): Measurement[] {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    print(`${what}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
    return [
      { section: 'dashboards', what: `${what}: p50`, value: p50, unit: 'ms' },
      { section: 'dashboards', what: `${what}: p99`, value: p99, unit: 'ms' },
    ];
  }
}

const computed = { 'cache-control': 'no-cache' };

/** The last 28 days: every query shape, and daily without a split. */
function dashboardOf(made: BenchPanel): readonly MetricRequest[] {
  const rows = (made.rows * 28) / made.days;
  const daily = { ...shapes['daily by ISP'], splits: [] };
  return [...Object.values(shapes), daily].map((shape) =>
    requestOver(made, shape as (typeof shapes)[string], rows),
  );
}
