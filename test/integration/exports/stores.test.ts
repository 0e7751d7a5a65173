import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { StoredFile } from '../../../services/shared/object-store/object-store.ts';
import {
  type ExportStore,
  exportStore,
  openStore,
  storeKinds,
} from '../../support/export-store.ts';

const mebibyte = 1024 * 1024;

for (const kind of storeKinds) {
  describe(`the ${kind} store`, () => {
    let storage: ExportStore;
    let count = 0;

    before(async () => {
      storage = await exportStore(kind);
    });
    after(() => storage.stop());

    it('returns a written file, complete or by byte range', async () => {
      const content = randomBytes(100_000);
      const file = newFile();
      await storage.store.write(file, pieces(content, 7_000), never);
      expect(await storage.store.sizeOf(file.key)).to.equal(content.length);
      expect((await read(file)).equals(content)).to.equal(true);
      const part = await buffer(await storage.store.read(file.key, { first: 10, last: 99_998 }));
      expect(part.equals(content.subarray(10, 99_999))).to.equal(true);
    });

    it('keeps the order of a file of several parts', async () => {
      const content = randomBytes(40 * mebibyte + 5);
      const file = newFile();
      await storage.store.write(file, pieces(content, mebibyte), never);
      expect((await read(file)).equals(content)).to.equal(true);
      expect(await storage.unfinished()).to.deep.equal([]);
    });

    for (const bytes of [0, 1_000, 20 * mebibyte, 33 * mebibyte]) {
      it(`keeps nothing of a file whose source fails after ${bytes} bytes`, async () => {
        const before = await storage.keys();
        const failure = new Error('the source failed');
        const thrown = await storage.store
          .write(newFile(), failing(bytes, failure), never)
          .catch((error: unknown) => error);
        expect(thrown).to.equal(failure);
        expect(await storage.keys()).to.deep.equal(before);
        expect(await storage.unfinished()).to.deep.equal([]);
      });
    }

    it('lists a file as unfinished while it is written, and shows it only when complete', async () => {
      const file = newFile();
      const seen: string[][] = [];
      async function* observedSource() {
        yield randomBytes(20 * mebibyte);
        yield randomBytes(20 * mebibyte);
        seen.push(await storage.keys(), await storage.unfinished());
        yield randomBytes(10);
      }
      await storage.store.write(file, observedSource(), never);
      expect(seen[0]).not.to.include(file.key);
      expect(seen[1]).to.deep.equal([file.key]);
      expect(await storage.keys()).to.include(file.key);
    });

    it('discards what is partial of a file, and keeps it if it is complete', async () => {
      const file = newFile();
      await storage.store.write(file, pieces(randomBytes(10), 10), never);
      await storage.store.discardPartial(file.key);
      expect(await storage.keys()).to.include(file.key);
      let left: string[] = [];
      async function* discardedSource() {
        yield randomBytes(20 * mebibyte);
        yield randomBytes(20 * mebibyte);
        await storage.store.discardPartial(file.key);
        left = await storage.unfinished();
        throw new Error('the source failed');
      }
      await storage.store.write(file, discardedSource(), never).catch(() => undefined);
      expect(left).to.deep.equal([]);
      expect(await storage.keys()).to.include(file.key);
    });

    it('discards an existing and a missing file', async () => {
      const file = newFile();
      await storage.store.write(file, pieces(randomBytes(10), 10), never);
      await storage.store.discard(file.key);
      await storage.store.discard(file.key);
      expect(await storage.store.sizeOf(file.key)).to.equal(undefined);
      expect(await storage.keys()).not.to.include(file.key);
    });

    if (kind === 's3') {
      it('signs links that work without credentials and fail when changed', async () => {
        const content = randomBytes(1_000);
        const file = newFile();
        await storage.store.write(file, pieces(content, 100), never);
        const link = await storage.store.link(file, new Date(Date.now() + 60_000));
        const response = await fetch(link);
        expect(response.headers.get('content-disposition')).to.include(file.fileName);
        expect(Buffer.from(await response.arrayBuffer()).equals(content)).to.equal(true);
        expect((await fetch(link.replace(/Signature=./, 'Signature=z'))).status).to.equal(403);
      });
    }

    if (kind === 's3') {
      for (const [what, wrong, reason] of [
        ['a missing bucket', { S3_BUCKET: 'netpanel-missing' }, 'does not exist (404)'],
        ['a wrong access key', { S3_ACCESS_KEY_ID: 'wrong' }, 'access was refused (403)'],
      ] as const) {
        it(`names ${what}`, async () => {
          const settings: Readonly<Record<string, string>> = { ...storage.settings, ...wrong };
          const store = await openStore(settings);
          const thrown = await store.check().catch((error: unknown) => error);
          expect(thrown).to.be.an('error');
          expect((thrown as Error).message).to.match(new RegExp(`^bucket "${settings.S3_BUCKET}"`));
          expect((thrown as Error).message).to.include(reason);
        });
      }
    }

    function newFile(): StoredFile {
      count++;
      const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
      const key = `${storage.store.keyPrefix}exports/7/2026-01-31/${id}.csv`;
      return { key, contentType: 'text/csv; charset=utf-8', fileName: `file-${count}.csv` };
    }

    async function read({ key }: StoredFile): Promise<Buffer> {
      return buffer(await storage.store.read(key));
    }
  });
}

const never = new AbortController().signal;

async function* pieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) {
    yield await Promise.resolve(content.subarray(at, at + size));
  }
}

async function* failing(bytes: number, failure: Error): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += mebibyte) {
    yield await Promise.resolve(Buffer.alloc(Math.min(mebibyte, bytes - sent)));
  }
  throw failure;
}
