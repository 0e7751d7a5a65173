import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { localStack, type LocalStack } from '../support/local-stack.ts';
import { runNetpanel } from '../support/netpanel.ts';
import { newTenant, type Tenant } from '../support/tenant.ts';

// Only the command line reads from addresses, and those are the operator's: docs/loading.md, "Watching a folder or bucket".

describe('the addresses that an operator gives to netpanel', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let target: RecordingServer;
  let redirecting: RecordingServer;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    target = await recordingServer((_, res) => res.end('{"data":[]}'));
    redirecting = await recordingServer((req, res) => {
      res.writeHead(307, { location: `${target.url}${req.url}` }).end();
    });
  });
  beforeEach(() => {
    for (const { requests } of [target, redirecting]) requests.length = 0;
  });
  after(() => {
    for (const { server } of [target, redirecting]) server.close();
  });

  const watch = (env: Readonly<Record<string, string>>, place: string) =>
    runNetpanel({ ...stack.env, ...env }, ['watch', '--org', tenant.name, '--once', place]);

  it('watch refuses an address that is not a folder or a bucket, and does not request it', async () => {
    for (const address of [`${target.url}/results.csv`, 'http://169.254.169.254/', 'file:///etc']) {
      const { code, stderr } = await watch({}, address);
      expect(code, stderr).not.to.equal(0);
      expect(stderr).to.include(`"${address}" must be a folder or an address such as s3://`);
    }
    expect(target.requests).to.deep.equal([]);
  });

  it('watch does not follow an object store to another host', async () => {
    const s3 = {
      S3_ENDPOINT: redirecting.url,
      S3_BUCKET: 'results',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_PATH_STYLE: 'true',
    };
    const { code, stderr } = await watch(s3, 's3://results/incoming');
    expect(code, stderr).not.to.equal(0);
    expect(redirecting.requests).not.to.deep.equal([]);
    expect(target.requests).to.deep.equal([]);
  });

  it('a redirect to another host does not get the token', async () => {
    const token = 'np_data_secret';
    await runNetpanel({}, [
      ...['query', 'httpget', '--from', '2026-11-01', '--to', '2026-11-02'],
      ...['--url', redirecting.url, '--token', token],
    ]);
    expect(redirecting.requests.map(({ authorization }) => authorization)).to.include(token);
    for (const { authorization, url } of target.requests) {
      expect(authorization, url).to.equal(undefined);
    }
  });
});

interface RecordingServer {
  readonly server: Server;
  readonly url: string;
  readonly requests: { readonly url: string; readonly authorization: string | undefined }[];
}

async function recordingServer(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<RecordingServer> {
  const requests: RecordingServer['requests'] = [];
  const server = createServer((req, res) => {
    requests.push({ url: req.url ?? '', authorization: req.headers.authorization });
    req.resume();
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, requests };
}
