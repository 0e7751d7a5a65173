import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { median } from '../measure/quantile.ts';
import { benchPanel, type BenchPanel } from '../panel/bench-panel.ts';
import { type MetricRequest, requestOver, dailyByIsp, type Shape } from '../panel/requests.ts';

const heavyClients = 12;
const lightRequests = 60;

// Heavy valid requests: every hour of the panel with five splits, and a report with many fields.
const hourlyBySplits: Shape = {
  ...dailyByIsp,
  aggregation: 'hourly',
  splits: ['isp', 'package', 'tier', 'target', 'threads'],
};
const manyFields: Shape = {
  ...dailyByIsp,
  household: { statistic: 'median', minResults: 5 },
  shares: { thresholds: [30, 100, 300] },
};

/** Light requests of one organisation, alone and while another one sends heavy requests without a pause. */
export async function neighbours({ stack, panel, print }: Bench): Promise<Measurement[]> {
  const large = await panel();
  const small = await benchPanel(stack, Math.ceil(large.rows / 50));
  const light = requestOver(small, dailyByIsp, small.rows / 10);
  await lightTimes(10);
  const alone = await lightTimes(lightRequests);

  let isOver = false;
  const statuses = new Map<number, number>();
  const clients = Array.from({ length: heavyClients }, async (_, client) => {
    const request = requestOver(large, client % 2 === 0 ? hourlyBySplits : manyFields, large.rows);
    while (!isOver) {
      // A response that is cut: its query exceeded a limit after the headers.
      const status = await send(large, request).catch(() => 0);
      if (status === 422) throw new Error(`a heavy request is invalid: ${JSON.stringify(request)}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // As the response demands.
      if (status === 429) await sleep(1_000);
    }
  });
  // Until heavy queries run.
  await lightTimes(5);
  const among = await lightTimes(lightRequests);
  isOver = true;
  await Promise.all(clients);

  print(`heavy requests by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
  const measured = (what: string, value: number, unit: string, atMost?: number): Measurement => ({
    section: 'neighbours',
    what: `a light organisation ${what}`,
    value,
    unit,
    ...(atMost === undefined ? {} : { target: { atMost } }),
  });
  return [
    measured('alone, p50', median(alone), 'ms'),
    measured(`beside ${heavyClients} heavy clients, p50`, median(among), 'ms'),
    measured('beside heavy clients to alone', median(among) / median(alone), 'times', 3),
  ];

  async function lightTimes(count: number): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const startedMs = performance.now();
      const status = await send(small, light);
      if (status !== 200) throw new Error(`a light request was answered with ${status}`);
      times.push(performance.now() - startedMs);
    }
    return times;
  }

  /** Drops the response: one that is collected would take the CPU time that is measured. */
  function send({ tenant }: BenchPanel, request: MetricRequest): Promise<number> {
    const sent = httpRequest(`${stack.queryUrl}/metric_data`, {
      method: 'POST',
      // Without stored answers.
      headers: {
        'cache-control': 'no-cache',
        authorization: tenant.dataToken,
        'content-type': 'application/json',
      },
    });
    return new Promise((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        response
          .on('error', reject)
          .on('end', () => resolve(response.statusCode ?? 0))
          .resume();
      });
      sent.end(JSON.stringify(request));
    });
  }
}
