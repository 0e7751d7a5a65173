import type { Bench } from '../bench.ts';
import { drain } from '../measure/drain.ts';
import type { Measurement } from '../measure/measurement.ts';
import { median } from '../measure/quantile.ts';
import { queryRunner } from '../measure/query-runner.ts';
import { sideBySide, timedMs } from '../measure/side-by-side.ts';
import type { BenchPanel } from '../panel/bench-panel.ts';
import { type MetricRequest, requestOver, shapes } from '../panel/requests.ts';

/** Requests that were answered before: from stored answers, and with the ETag of the answer. */
export async function warm({ stack, panel, rounds, print }: Bench): Promise<Measurement[]> {
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const compare = async (
    what: string,
    request: MetricRequest,
    cold: MetricRequest,
    atMost: number,
  ) => {
    await untilStored(() => runner.stored(request));
    const { firstMs, secondMs, ratio } = await sideBySide(
      rounds,
      () => runner.stored(request),
      () => runner.service(cold),
    );
    print(`${what}: ${firstMs.toFixed(1)} ms against ${secondMs.toFixed(1)} ms`);
    return { section: 'warm', what, value: ratio, unit: '', target: { atMost } };
  };
  const dashboard = overDays(made, 'daily by ISP', 28);
  const all = { ...overDays(made, 'daily by ISP', made.days), aggregation: 'monthly' };
  const month = { ...overDays(made, 'daily by ISP', 30), aggregation: 'monthly' };
  return [
    await compare('28 days, daily by ISP, again against computed', dashboard, dashboard, 0.05),
    await compare(
      `${made.days} days, monthly by ISP, again against computing 30 days`,
      all,
      month,
      2,
    ),
    await notModified(),
  ];

  async function notModified(): Promise<Measurement> {
    const { etag = '' } = (await runner.stored(dashboard)).headers;
    const headers = {
      authorization: made.tenant.dataToken,
      'content-type': 'application/json',
      'if-none-match': String(etag),
    };
    const body = JSON.stringify(dashboard);
    const times: number[] = [];
    for (let i = 0; i < 10 * rounds; i++) {
      times.push(
        await timedMs(() => drain(`${stack.queryUrl}/metric_data`, { headers, body, status: 304 })),
      );
    }
    const ms = median(times);
    print(`304 Not Modified: ${ms.toFixed(1)} ms`);
    return {
      section: 'warm',
      what: '304 Not Modified, p50',
      value: ms,
      unit: 'ms',
      target: { atMost: 5 },
    };
  }
}

/** Answers are stored in the background, so the next request may come before. */
async function untilStored(ask: () => ReturnType<typeof drain>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await ask()).headers['x-netpanel-cache'] === 'hit') return;
  }
  throw new Error('the answer was not stored');
}

function overDays(made: BenchPanel, shapeName: string, days: number): MetricRequest {
  const shape = shapes[shapeName];
  if (shape === undefined) throw new Error('the query shape is missing');
  return requestOver(made, shape, (made.rows * days) / made.days);
}
