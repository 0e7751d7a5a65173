import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore, storeKinds } from '../../support/export-store.ts';
import { fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { ScrapedMetrics } from '../../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

const rowCount = 1_000_000;
/** Node 24 keeps 70 to 100 MB for what Node 20 does with less than 64 MB. The file of a million rows is larger. */
const maxGrowthBytes = (process.versions.node.startsWith('20.') ? 64 : 128) * 1024 * 1024;

describe('a million rows do not fill the memory of a service,', () => {
  let tenant: Tenant;

  before(async () => {
    const { database, clickhouse } = await localStack();
    tenant = await newTenant(database);
    await addManyDownloads(clickhouse, tenant.organisationId, rowCount);
  });

  for (const kind of storeKinds) {
    describe(`exported to the ${kind} store`, () => {
      let storage: ExportStore;
      before(async () => (storage = await exportStore(kind)));
      after(() => storage.stop());

      for (const format of ['csv', 'csv.gz', 'parquet']) {
        it(`as ${format}`, async () => {
          await withService(storage.settings, async (service) => {
            const api = new DataApi(service.url, tenant.dataToken);
            const exported = async (from: string, to: string) => {
              const request = { test: 'httpget', date: { from, to }, format };
              return fileData(await api.post('/test_data_download', request));
            };
            await exported('2001', '2001');
            const { result, growthBytes } = await memoryGrowth(service, () =>
              exported('2026-01-01', '2026-01-31'),
            );
            expect(result.rows).to.equal(rowCount);
            expect(growthBytes).to.be.lessThan(maxGrowthBytes);
            if (format !== 'csv') return;
            const { lines, bytes } = await lineCount(result.url);
            expect({ lines, bytes }).to.deep.equal({ lines: rowCount + 1, bytes: result.bytes });
          });
        });
      }
    });
  }

  it('sent as JSON to a client that pauses reading', async () => {
    await withService({ MAX_RESULT_ROWS: String(rowCount) }, async (service) => {
      await rawData(service, '2001-01-01 00:00', 0);
      const { result, growthBytes } = await memoryGrowth(service, () =>
        rawData(service, '2026-01-01 00:00', 5_000),
      );
      expect(result).to.deep.equal({ complete: true, rows: rowCount });
      expect(growthBytes).to.be.lessThan(maxGrowthBytes);
    });
  });

  /** Requests a month of raw data and pauses before reading it. */
  async function rawData(service: ServiceProcess, from: string, pauseMs: number) {
    const request = httpRequest(`${service.url}/metric_data`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json' },
    });
    const time = { from, to: `${from.slice(0, 4)}-01-31 23:59` };
    const options = { chartType: 'raw', normalised: false, prefilter: false };
    request.end(JSON.stringify({ metric: 'httpget', time, ...options }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await sleep(pauseMs);
    let rows = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) rows += countBraces(chunk);
    // The envelope and its one series have a brace each.
    return { complete: response.complete, rows: rows - 2 };
  }
});

async function withService(
  settings: Readonly<Record<string, string>>,
  work: (service: ServiceProcess) => Promise<void>,
): Promise<void> {
  const timeouts = { EXPORT_WAIT_MS: '250000', QUERY_TIMEOUT_MS: '250000' };
  const service = await startServiceProcess('query', { ...timeouts, ...settings });
  try {
    await work(service);
  } finally {
    await service.kill('SIGTERM');
  }
}

/** The peak growth of the service's memory during the work. */
async function memoryGrowth<T>(
  { opsUrl }: ServiceProcess,
  work: () => Promise<T>,
): Promise<{ result: T; growthBytes: number }> {
  const beforeBytes = await residentBytes(opsUrl);
  let peakBytes = beforeBytes;
  const timer = setInterval(() => {
    void residentBytes(opsUrl).then((bytes) => (peakBytes = Math.max(peakBytes, bytes)));
  }, 100);
  try {
    return { result: await work(), growthBytes: peakBytes - beforeBytes };
  } finally {
    clearInterval(timer);
  }
}

async function residentBytes(opsUrl: string): Promise<number> {
  return (await ScrapedMetrics.from(opsUrl)).value('process_resident_memory_bytes');
}

async function lineCount(url: string): Promise<{ lines: number; bytes: number }> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  let lines = 0;
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines++;
  }
  return { lines, bytes };
}

function countBraces(chunk: Buffer): number {
  let count = 0;
  for (const byte of chunk) if (byte === 0x7b) count++;
  return count;
}
