import { testNames } from '../reference/panel.ts';
import type { Random } from '../property/random.ts';
import type { ExportData } from '../support/background-export.ts';
import { exportStatus } from '../support/background-export.ts';
import type { DataApi, DataResponse } from '../support/data-api.ts';
import type { FileData } from '../support/exported-file.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectStatus, type RequestKind } from './request-kind.ts';
import { manyRange, type SoakOrganisation } from './soak-organisation.ts';

/** Valid requests of the data interface. */
export const queryRequests: readonly RequestKind[] = [
  {
    name: 'metric_data',
    weight: 30,
    run: async ({ data, requests }, random) =>
      expectStatus(await data.post('/metric_data', random.pick(requests)), 200),
  },
  {
    name: 'metric_data, many raw results',
    weight: 2,
    run: async ({ data }, random) =>
      expectStatus(await data.post('/metric_data', manyRaw(random)), 200),
  },
  {
    name: 'test_data',
    weight: 6,
    run: async ({ data }, random) => {
      const request = { test: random.pick(tests), date: { from: '2026-10', to: '2026-10' } };
      expectStatus(await data.post('/test_data', request), 200);
    },
  },
  {
    name: 'explain',
    weight: 5,
    run: async ({ data, requests }, random) => {
      const request = random.pick(requests);
      expectStatus(await data.post('/metric_data/explain', request), 200);
      const test = { test: random.pick(tests), date: manyRange };
      expectStatus(await data.post('/test_data/explain', test), 200);
    },
  },
  {
    name: 'listings',
    weight: 8,
    run: async ({ data }, random) => expectStatus(await data.get(random.pick(listings)), 200),
  },
  {
    name: 'export',
    weight: 3,
    run: async ({ data, requests }, random) => {
      const path = random.pick(['/metric_data.csv', '/metric_data_download']);
      const response = await data.post(path, random.pick(requests));
      expectStatus(response, 200);
      await download(data, response.body.data as FileData);
    },
  },
  { name: 'export in the background', weight: 2, run: backgroundExport },
];

const tests = testNames as unknown as [string, ...string[]];

const listings: [string, ...string[]] = [
  '/metrics',
  '/tests',
  '/splits',
  '/filters',
  '/filters/isp/values',
  '/filters/package/values',
  '/filters/target/values?search=e&limit=5',
  '/filters/agent/values',
  '/filters/tier/values',
];

/** Two to eight hours of one result per second. */
function manyRaw(random: Random): object {
  const toHour = String(random.between(2, 8)).padStart(2, '0');
  return {
    metric: 'httpget',
    chartType: 'raw',
    normalised: false,
    prefilter: false,
    time: { from: '2026-01-01 00:00', to: `2026-01-01 ${toHour}:00` },
  };
}

/** Half of them are cancelled, the others are downloaded and deleted. */
async function backgroundExport({ data }: SoakOrganisation, random: Random): Promise<void> {
  const request = { test: 'httpget', date: manyRange };
  const started: DataResponse = await data.post('/test_data.csv', request, {
    prefer: 'respond-async',
  });
  expectStatus(started, 202);
  const { id } = started.body.data as ExportData;
  if (random.chance(0.5)) {
    await waitUntil(async () => (await exportStatus(data, id)).status !== 'running');
    const ended = await exportStatus(data, id);
    if (ended.status !== 'ready') throw new Error(`export ${id} has the status ${ended.status}`);
    await download(data, ended);
  }
  expectStatus(await data.send('DELETE', `/exports/${id}`, {}), 200);
}

/** The link waits while the export is running, so its length is known only afterwards. */
async function download(data: DataApi, { url, statusUrl }: FileData): Promise<void> {
  const response = await fetch(url);
  const { byteLength } = await response.arrayBuffer();
  const ended = await data.get(new URL(statusUrl).pathname);
  const { bytes } = ended.body.data as FileData;
  if (response.status !== 200 || byteLength !== bytes) {
    throw new Error(`download: status ${response.status}, ${byteLength} of ${bytes} bytes`);
  }
}
