import { expect } from 'chai';
import type { DataResponse } from './data-api.ts';

/** The `data` of a response to an export request. */
export interface FileData {
  readonly url: string;
  readonly status: string;
  readonly statusUrl: string;
  readonly expiresAt: string;
  readonly rows: number;
  readonly bytes: number;
  readonly bucket?: string;
  readonly key?: string;
}

export function fileData({ status, body }: DataResponse): FileData {
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.data as FileData;
}

export async function fetched(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).to.equal(200);
  return Buffer.from(await response.arrayBuffer());
}
