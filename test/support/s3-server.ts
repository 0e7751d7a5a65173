import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import S3rver from '@20minutes/s3rver';

export interface S3Server {
  /** Settings of a service that stores its exports there. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const bucket = 'netpanel-test';

/** An S3 server: the one at TEST_S3_ENDPOINT (Garage, AWS …), or one started here. */
export async function startS3(): Promise<S3Server> {
  const { TEST_S3_ENDPOINT } = process.env;
  const prefix = `test-${process.pid}-${Date.now()}/`;
  if (TEST_S3_ENDPOINT !== undefined) {
    return {
      settings: { ...s3Settings(TEST_S3_ENDPOINT), S3_PREFIX: prefix },
      stop: () => Promise.resolve(),
    };
  }
  const directory = await mkdtemp(join(tmpdir(), 'netpanel-s3-'));
  const s3 = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await s3.configureBuckets();
  const server = createServer(withUploads(directory, s3.callback()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    settings: {
      ...s3Settings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      S3_PREFIX: prefix,
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function s3Settings(endpoint: string): Record<string, string> {
  const { env } = process;
  return {
    EXPORT_STORE: 's3',
    S3_ENDPOINT: endpoint,
    S3_BUCKET: env.TEST_S3_BUCKET ?? bucket,
    S3_REGION: env.TEST_S3_REGION ?? 'us-east-1',
    S3_PATH_STYLE: env.TEST_S3_PATH_STYLE ?? 'true',
    S3_CHECKSUMS: env.TEST_S3_CHECKSUMS ?? 'when_required',
    S3_ACCESS_KEY_ID: env.TEST_S3_ACCESS_KEY_ID ?? 'S3RVER',
    S3_SECRET_ACCESS_KEY: env.TEST_S3_SECRET_ACCESS_KEY ?? 'S3RVER',
  };
}

/** A client that sees what the service stores. */
export function s3ClientOf({ settings }: Pick<S3Server, 'settings'>): S3Client {
  return new S3Client({
    region: settings.S3_REGION!,
    endpoint: settings.S3_ENDPOINT!,
    forcePathStyle: settings.S3_PATH_STYLE === 'true',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: settings.S3_ACCESS_KEY_ID!,
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY!,
    },
  });
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Adds what s3rver lacks: listing and aborting uploads, and a DELETE of a missing object. */
function withUploads(directory: string, handle: Handler): Handler {
  const folder = join(directory, bucket, '._S3rver_uploads');
  return (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://s3');
    const uploadId = searchParams.get('uploadId');
    if (req.method === 'GET' && searchParams.has('uploads')) {
      void listUploads(folder, searchParams.get('prefix') ?? '').then((xml) => {
        res.setHeader('content-type', 'application/xml');
        res.end(xml);
      });
    } else if (req.method === 'DELETE' && uploadId !== null) {
      void rm(join(folder, uploadId), { recursive: true, force: true }).then(() => {
        res.writeHead(204).end();
      });
    } else if (req.method === 'DELETE' && !existsSync(objectPath(directory, pathname))) {
      res.writeHead(204).end();
    } else {
      // s3rver's signature check fails on the slash that the client appends to a bucket's path.
      if (/^\/[^/]+\/$/.test(pathname)) {
        if (!isOwnKey(req)) {
          res.writeHead(403).end();
          return;
        }
        delete req.headers.authorization;
      }
      handle(req, res);
    }
  };
}

function isOwnKey({ headers }: IncomingMessage): boolean {
  return headers.authorization?.includes('Credential=S3RVER/') === true;
}

// As MinIO: only by the complete key, or all.
async function listUploads(folder: string, prefix: string): Promise<string> {
  const ids = existsSync(folder) ? await readdir(folder) : [];
  const uploads = await Promise.all(
    ids.map(async (id) => ({ id, key: await readFile(join(folder, id, 'key'), 'utf8') })),
  );
  const listed = uploads
    .filter(({ key }) => prefix === '' || key === prefix)
    .map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
  return `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><Bucket>${bucket}</Bucket><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`;
}

function objectPath(directory: string, pathname: string): string {
  return join(directory, `${decodeURIComponent(pathname)}._S3rver_object`);
}
