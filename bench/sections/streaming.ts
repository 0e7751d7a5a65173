import type { Bench } from '../bench.ts';
import { type Ask, askers, type DirectQuery } from '../measure/ask.ts';
import type { Figure } from '../measure/figure.ts';
import { peakMemory } from '../measure/peak-memory.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { type MetricRequest, requestOver, type Shape } from '../panel/questions.ts';

const raw: Shape = { metric: 'httpget', chartType: 'raw', normalised: false, prefilter: false };

/** Raw results through the service against ClickHouse's own stream of the same rows. */
export async function streaming({ stack, panel, rounds, say }: Bench): Promise<Figure[]> {
  const made = await panel();
  const ask = askers(stack, made.tenant.dataToken);
  const most = requestOver(made, raw, made.rows);
  const few = requestOver(made, raw, 50_000);
  const download = (request: MetricRequest) =>
    makeCsv(stack.queryUrl, made.tenant.dataToken, request);

  const jsonQuery = await ask.explain(most);
  const json = await sideBySide(
    rounds,
    () => ask.service(most),
    () => ask.direct(jsonQuery),
  );
  say(`JSON: ${json.firstMs.toFixed(0)} ms, direct ${json.secondMs.toFixed(0)} ms`);
  const csvQuery = asCsv(jsonQuery);
  const csv = await sideBySide(
    rounds,
    () => download(most),
    () => ask.direct(csvQuery),
  );
  say(`CSV file: ${csv.firstMs.toFixed(0)} ms, direct ${csv.secondMs.toFixed(0)} ms`);

  const fewPeak = await peakMemory(stack.queryOpsUrl, () => both(ask, download, few));
  const mostPeak = await peakMemory(stack.queryOpsUrl, () => both(ask, download, most));
  const about = { section: 'streaming' } as const;
  const rate = (ms: number) => made.rows / ms / 1_000;
  return [
    { ...about, what: 'raw JSON', value: rate(json.firstMs), unit: 'M rows/s' },
    {
      ...about,
      what: 'raw JSON against ClickHouse',
      value: 1 / json.ratio,
      unit: '',
      target: { atLeast: 0.9 },
    },
    { ...about, what: 'CSV into the store', value: rate(csv.firstMs), unit: 'M rows/s' },
    {
      ...about,
      what: 'CSV against ClickHouse',
      value: 1 / csv.ratio,
      unit: '',
      target: { atLeast: 0.9 },
    },
    {
      ...about,
      what: `memory at ${made.rows} rows over that at 50,000`,
      value: (mostPeak - fewPeak) / 2 ** 20,
      unit: 'MiB',
      target: { atMost: 64 },
    },
  ];
}

type MakeCsv = (request: MetricRequest) => Promise<unknown>;

async function both(ask: Ask, download: MakeCsv, request: MetricRequest): Promise<void> {
  await ask.service(request);
  await download(request);
}

function asCsv({ url, sql }: DirectQuery): DirectQuery {
  return { url, sql: sql.replace(/FORMAT JSONEachRow$/, 'FORMAT CSVWithNames') };
}

/** Until the file is in the store, however long that takes. */
async function makeCsv(queryUrl: string, token: string, request: MetricRequest): Promise<void> {
  const headers = { authorization: token, 'content-type': 'application/json' };
  const body = JSON.stringify(request);
  const answer = await fetch(`${queryUrl}/metric_data.csv`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { statusUrl?: string } };
  if (!answer.ok) throw new Error(`the export answered ${answer.status}`);
  if (answer.status !== 202 || data.statusUrl === undefined) return;
  for (;;) {
    const status = await fetch(data.statusUrl, { headers });
    const { data: now } = (await status.json()) as { data: { status: string } };
    if (now.status === 'done') return;
    if (now.status !== 'running') throw new Error(`the export is ${now.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
