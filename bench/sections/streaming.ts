import type { Bench } from '../bench.ts';
import { type QueryRunner, queryRunner, type DirectQuery } from '../measure/query-runner.ts';
import type { Measurement } from '../measure/measurement.ts';
import { peakMemory } from '../measure/peak-memory.ts';
import { sideBySide } from '../measure/side-by-side.ts';
import { type MetricRequest, requestOver, type Shape } from '../panel/requests.ts';

const raw: Shape = { metric: 'httpget', chartType: 'raw', normalised: false, prefilter: false };

/** Raw results through the service, compared with ClickHouse's stream of the same rows. */
export async function streaming({ stack, panel, rounds, print }: Bench): Promise<Measurement[]> {
  const made = await panel();
  const runner = queryRunner(stack, made.tenant.dataToken);
  const most = requestOver(made, raw, made.rows);
  const few = requestOver(made, raw, 50_000);
  const download = (request: MetricRequest) =>
    makeCsv(stack.queryUrl, made.tenant.dataToken, request);

  const jsonQuery = await runner.explain(most);
  const json = await sideBySide(
    rounds,
    () => runner.service(most),
    () => runner.direct(jsonQuery),
  );
  print(`JSON: ${json.firstMs.toFixed(0)} ms, direct ${json.secondMs.toFixed(0)} ms`);
  const csvQuery = asCsv(jsonQuery);
  const csv = await sideBySide(
    rounds,
    () => download(most),
    () => runner.direct(csvQuery),
  );
  print(`CSV file: ${csv.firstMs.toFixed(0)} ms, direct ${csv.secondMs.toFixed(0)} ms`);

  const fewPeak = await peakMemory(stack.queryOpsUrl, () => both(runner, download, few));
  const mostPeak = await peakMemory(stack.queryOpsUrl, () => both(runner, download, most));
  const about = { section: 'streaming' } as const;
  const rate = (ms: number) => made.rows / ms / 1_000;
  return [
    { ...about, what: 'raw JSON', value: rate(json.firstMs), unit: 'M rows/s' },
    {
      ...about,
      what: 'raw JSON against ClickHouse',
      value: 1 / json.ratio,
      unit: '',
      target: { atLeast: 0.95 },
    },
    { ...about, what: 'CSV into the store', value: rate(csv.firstMs), unit: 'M rows/s' },
    {
      ...about,
      what: 'CSV against ClickHouse',
      value: 1 / csv.ratio,
      unit: '',
      target: { atLeast: 0.95 },
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

async function both(runner: QueryRunner, download: MakeCsv, request: MetricRequest): Promise<void> {
  await runner.service(request);
  await download(request);
}

function asCsv({ url, sql }: DirectQuery): DirectQuery {
  return { url, sql: sql.replace(/FORMAT JSONEachRow$/, 'FORMAT CSVWithNames') };
}

/** Waits until the file is in the object store. */
async function makeCsv(queryUrl: string, token: string, request: MetricRequest): Promise<void> {
  const headers = { authorization: token, 'content-type': 'application/json' };
  const body = JSON.stringify(request);
  const response = await fetch(`${queryUrl}/metric_data.csv`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { status: string; statusUrl: string } };
  if (!response.ok) throw new Error(`the export failed with status ${response.status}`);
  if (data.status === 'ready') return;
  for (;;) {
    const status = await fetch(data.statusUrl, { headers });
    const { data: now } = (await status.json()) as { data: { status: string } };
    if (now.status === 'ready') return;
    if (now.status !== 'running') throw new Error(`the export is ${now.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
