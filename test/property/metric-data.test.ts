import fc from 'fast-check';
import { answer, type Series } from '../reference/answer.ts';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { settleTies } from '../reference/settle-ties.ts';
import { localStack } from '../support/local-stack.ts';
import { randomPanel } from './random-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';
import { storePanel } from './store-panel.ts';

// PROPERTY_RUNS=20000 asks more; PROPERTY_SEED=<as printed> repeats a run, panel and requests alike.
const runs = Number(process.env.PROPERTY_RUNS ?? 300);
const seed = Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('metric data over random requests', function () {
  this.timeout(60_000 + runs * 1000);
  let panel: Panel;
  let ask: (request: MetricRequest) => Promise<readonly Series[]>;

  before(async () => {
    const stack = await localStack();
    panel = randomPanel(seed);
    const { dataToken } = await storePanel(stack, panel);
    ask = (request) => postMetricData(stack.queryUrl, dataToken, request);
  });

  it(`${runs} answers are what the reference works out row by row`, async () => {
    await fc.assert(
      fc.asyncProperty(requestArbitrary(panel), async (request) => {
        const askedAt = new Date();
        const settled = request.chartType === 'raw' ? settleTies : same;
        const answered = settled(await ask(request));
        // The service's `now` lies between the two; a result may end up on either side of it.
        const differences = [askedAt, new Date()].map((now) =>
          firstDifference(settled(answer(panel, request, now)), answered),
        );
        if (differences.includes(undefined)) return;
        throw new Error(`${differences[0]!}\nasked: ${JSON.stringify(request)}`);
      }),
      { numRuns: runs, seed, endOnFailure: false },
    );
  });
});

const same = (data: readonly Series[]) => data;

async function postMetricData(
  queryUrl: string,
  token: string,
  request: MetricRequest,
): Promise<readonly Series[]> {
  const response = await fetch(`${queryUrl}/metric_data`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return (JSON.parse(text) as { data: readonly Series[] }).data;
}
