import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { CreateMultipartUploadCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { readQueryConfig } from '../../services/query/config.ts';
import type { ObjectStore } from '../../services/shared/object-store/object-store.ts';
import { openObjectStore } from '../../services/shared/object-store/open-object-store.ts';
import { s3ClientOf, startS3 } from './s3-server.ts';

/** An object store for one test, and its contents. */
export interface ExportStore {
  readonly settings: Readonly<Record<string, string>>;
  readonly store: ObjectStore;
  /** The visible objects, sorted. */
  keys(): Promise<string[]>;
  /** The uploads in progress. */
  unfinished(): Promise<string[]>;
  /** Leaves what a killed process has written of a file. */
  leaveUnfinished(key: string): Promise<void>;
  stop(): Promise<void>;
}

export const storeKinds = ['folder', 's3'] as const;

export function exportStore(kind: (typeof storeKinds)[number]): Promise<ExportStore> {
  return kind === 'folder' ? folderStore() : s3Store();
}

async function folderStore(): Promise<ExportStore> {
  const folder = await mkdtemp(join(tmpdir(), 'netpanel-exports-'));
  const settings = { EXPORT_STORE: 'folder', EXPORT_FOLDER: folder };
  const store = await openStore(settings);
  return {
    settings,
    store,
    keys: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort();
    },
    unfinished: () => collected(store.unfinished()),
    leaveUnfinished: (key) => writeFile(join(folder, `${key}.0b1c2d3e.partial`), ''),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function s3Store(): Promise<ExportStore> {
  const server = await startS3();
  const { settings } = server;
  const store = await openStore(settings);
  const client = s3ClientOf(server);
  return {
    settings,
    store,
    keys: async () => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: settings.S3_BUCKET!, Prefix: settings.S3_PREFIX! }),
      );
      return Contents.map(({ Key = '' }) => Key).sort();
    },
    unfinished: () => collected(store.unfinished()),
    leaveUnfinished: async (key) => {
      const upload = { Bucket: settings.S3_BUCKET!, Key: key };
      await client.send(new CreateMultipartUploadCommand(upload));
    },
    stop: () => server.stop(),
  };
}

/** The store of a service with these settings. */
export function openStore(settings: Readonly<Record<string, string>>): Promise<ObjectStore> {
  const engines = { DATABASE_URL: 'postgres://nowhere/x', CLICKHOUSE_URL: 'http://nowhere' };
  const config = readQueryConfig({ ...engines, ...settings });
  return openObjectStore(config, (key) => `signed:${key}`);
}

async function collected(keys: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const key of keys) all.push(key);
  return all;
}
