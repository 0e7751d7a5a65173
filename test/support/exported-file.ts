import { expect } from 'chai';
import type { DataAnswer } from './data-api.ts';

/** What an export says of its file. */
export interface FileData {
  readonly url: string;
  readonly expiresAt: string;
  readonly rows: number;
  readonly bytes: number;
  readonly bucket?: string;
  readonly key?: string;
}

export function fileData({ status, body }: DataAnswer): FileData {
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.data as FileData;
}

export async function fetched(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect(answer.status).to.equal(200);
  return Buffer.from(await answer.arrayBuffer());
}
