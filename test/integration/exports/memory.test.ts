import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { exportStore } from '../../support/export-store.ts';
import { localStack } from '../../support/local-stack.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { newTenant } from '../../support/tenant.ts';

const rowCount = 2_000_000;
const maxGrowthBytes = 100 * 1024 * 1024;

describe('An export of two million rows', () => {
  it('takes the service less than 100 MB of memory', async function () {
    this.timeout(400_000);
    const { database, clickhouse } = await localStack();
    const tenant = await newTenant(database);
    await addManyDownloads(clickhouse, tenant.organisationId, rowCount);
    const at = await exportStore('folder');
    const service = await startServiceProcess('query', {
      ...at.settings,
      EXPORT_WAIT_MS: '250000',
    });
    try {
      const api = new DataApi(service.url, tenant.dataToken);
      await api.post('/test_data.csv', { test: 'httpget', date: { from: '2001', to: '2001' } });
      const beforeBytes = await residentBytes(service.opsUrl);
      let peakBytes = beforeBytes;
      const watch = setInterval(() => {
        void residentBytes(service.opsUrl).then((bytes) => {
          peakBytes = Math.max(peakBytes, bytes);
        });
      }, 200);
      const { body } = await api.post('/test_data.csv', {
        test: 'httpget',
        date: { from: '2026-01-01', to: '2026-01-31' },
      });
      clearInterval(watch);
      const data = body.data as { url: string; rows: number; bytes: number };
      expect(data.rows).to.equal(rowCount);
      expect(peakBytes - beforeBytes).to.be.lessThan(maxGrowthBytes);
      expect(await lineCount(data.url)).to.deep.equal({ lines: rowCount + 1, bytes: data.bytes });
    } finally {
      await service.kill('SIGTERM');
      await at.stop();
    }
  });
});

async function residentBytes(opsUrl: string): Promise<number> {
  const figures = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\S* (\d+)/m.exec(figures)?.[1]);
}

async function lineCount(url: string): Promise<{ lines: number; bytes: number }> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  let lines = 0;
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines++;
  }
  return { lines, bytes };
}
