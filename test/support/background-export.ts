import { expect } from 'chai';
import type { DataApi } from './data-api.ts';
import type { FileData } from './exported-file.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** The `data` of GET /exports/{id}. */
export interface ExportData extends FileData {
  readonly id: string;
  readonly percent: number | null;
}

/** Starts a CSV export of test data in the background and returns its id. */
export async function startExport(api: DataApi, request: unknown): Promise<string> {
  const { status, body } = await api.post('/test_data.csv', request, { prefer: 'respond-async' });
  expect(status, JSON.stringify(body)).to.equal(202);
  return (body.data as ExportData).id;
}

export async function exportStatus(api: DataApi, id: string): Promise<ExportData> {
  return (await api.get(`/exports/${id}`)).body.data as ExportData;
}

/** Holds ClickHouse's response after this size: the file stays incomplete until the proxy heals. */
export function holdExport(clickhouse: TcpProxy, mebibytes = 5): void {
  const afterBytes = mebibytes * 1024 * 1024;
  clickhouse.fault({ kind: 'hold', direction: 'to the service', afterBytes });
}
