import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { Registry } from '../../../services/shared/metrics.ts';
import { listen } from '../../../services/shared/http/listener.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { openTlsCertificate } from '../../../services/shared/tls/tls-certificate.ts';
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { tlsFolder } from '../../support/tls-files.ts';

describe('a listener', () => {
  it('closes after the grace period despite a connection without a TLS handshake', async function () {
    this.timeout(8_000);
    const files = await tlsFolder(selfSignedCertificate());
    const { TLS_CERT_FILE: tlsCertFile, TLS_KEY_FILE: tlsKeyFile } = files.settings;
    const logger = createLogger('listener-under-test', 'error');
    const tools = { logger, registry: new Registry() };
    const certificate = await openTlsCertificate({ tlsCertFile, tlsKeyFile }, tools);
    const listener = await listen(express(), '127.0.0.1', 0, { certificate });
    const silent = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    await listener.close(100);
    certificate?.close();
    await files.remove();
    if (!silent.closed) await once(silent.resume(), 'close');
    expect(silent.destroyed).to.equal(true);
  });

  it('keeps idle connections longer than the 60 seconds of common proxies', async () => {
    const app = express().get('/', (_req, res) => void res.send('here'));
    const listener = await listen(app, '127.0.0.1', 0);
    const response = await fetch(`http://127.0.0.1:${listener.port}/`);
    await listener.close(100);
    expect(response.headers.get('keep-alive')).to.equal('timeout=75');
  });

  it('closes a connection whose client has stopped reading', async () => {
    let closed = false;
    const app = express().get('/', (_req, res) => {
      res.once('close', () => (closed = true));
      res.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const listener = await listen(app, '127.0.0.1', 0, { clientStallMs: 100 });
    const client = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitUntil(() => closed);
    client.destroy();
    await listener.close(100);
  }).timeout(90_000);

  it('keeps a connection whose client waits for a slow response', async () => {
    const app = express().get('/', (_req, res) => {
      setTimeout(() => void res.send('late'), 500);
    });
    const listener = await listen(app, '127.0.0.1', 0, { clientStallMs: 50 });
    const response = await fetch(`http://127.0.0.1:${listener.port}/`);
    expect(await response.text()).to.equal('late');
    await listener.close(100);
  });

  for (const { what, request, status, message } of [
    {
      what: 'a URL of 200 KB',
      request: `GET /?after=${'x'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      status: '431 Request Header Fields Too Large',
      message: 'The URL and the headers are larger than 65536 bytes',
    },
    {
      what: 'a request that is not HTTP',
      request: 'SELECT 1\r\n\r\n',
      status: '400 Bad Request',
      message: 'The request is not valid HTTP',
    },
  ]) {
    it(`responds to ${what} in the envelope`, async () => {
      const listener = await listen(express(), '127.0.0.1', 0);
      const client = connect(listener.port, '127.0.0.1');
      client.write(request);
      const response = (await client.toArray()).join('');
      await listener.close(100);
      const [head = '', body = ''] = response.split('\r\n\r\n');
      expect(head.split('\r\n')[0]).to.equal(`HTTP/1.1 ${status}`);
      expect(JSON.parse(body)).to.deep.equal({ code: 'BAD_REQUEST', message });
    });
  }

  it('accepts a URL of 60 KB', async () => {
    const app = express().get('/', (req, res) => void res.send(String(req.url.length)));
    const listener = await listen(app, '127.0.0.1', 0);
    const response = await fetch(`http://127.0.0.1:${listener.port}/?after=${'x'.repeat(60_000)}`);
    await listener.close(100);
    expect(await response.text()).to.equal('60008');
  });
});
