import { connect as connectPlain } from 'node:net';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { expect } from 'chai';
import request from 'supertest';
import { localStack } from '../../support/local-stack.ts';
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { newTenant } from '../../support/tenant.ts';
import { halfRequest, servedName, tlsConnection } from '../../support/tls-client.ts';
import { type TlsFolder, tlsFolder } from '../../support/tls-files.ts';
import { waitUntil } from '../../support/wait-until.ts';

const first = selfSignedCertificate({ name: 'first', validDays: 10 });
const second = selfSignedCertificate({ name: 'second', validDays: 20 });
const both = [first, second];
/** OpenSSL offers TLS 1.1 only at security level 0. */
const tls11: ConnectionOptions = {
  minVersion: 'TLSv1.1',
  maxVersion: 'TLSv1.1',
  ciphers: 'DEFAULT@SECLEVEL=0',
};

for (const name of ['query', 'metadata'] as const) {
  describe(`TLS of the ${name} service`, () => {
    let files: TlsFolder;
    let service: ServiceProcess;
    let token: string;

    before(async () => {
      const tenant = await newTenant((await localStack()).database);
      token = name === 'query' ? tenant.dataToken : `Bearer ${tenant.metadataToken}`;
      files = await tlsFolder(first);
      service = await startServiceProcess(name, { ...files.settings, LOG_LEVEL: 'info' });
    });
    beforeEach(async () => {
      await files.put(first);
      await waitUntil(async () => (await servedName(service.port, both)) === 'first');
    });
    after(async () => {
      await service.kill('SIGKILL');
      await files.remove();
    });

    it('serves HTTPS with TLS 1.2 and 1.3, and sends Strict-Transport-Security', async () => {
      for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
        const only = { minVersion: version, maxVersion: version };
        const socket = await tlsConnection(service.port, both, only);
        expect(socket.getProtocol()).to.equal(version);
        socket.destroy();
      }
      const response = await request(service.url).get('/openapi.yaml').ca(first.cert);
      expect(response.status).to.equal(200);
      expect(response.headers['strict-transport-security']).to.equal('max-age=31536000');
    });

    it('rejects TLS 1.1, also after the certificate was replaced', async () => {
      await expectAcceptedByOtherServer();
      await expectRejected();
      await files.put(second);
      await waitUntil(async () => (await servedName(service.port, both)) === 'second');
      await expectRejected();
    });

    it('does not respond to plain HTTP, except on the ops port', async () => {
      const socket = connectPlain(service.port, '127.0.0.1');
      socket.write('GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
      let response = '';
      socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')));
      await once(socket, 'close');
      expect(response).to.not.contain('HTTP/');
      expect((await request(service.opsUrl).get('/readyz')).status).to.equal(200);
      const { text } = await request(service.opsUrl).get('/metrics');
      expect(expiryIn(text)).to.equal(first.expiresAt.getTime() / 1000);
    });

    it('uses a replaced certificate for new connections and completes requests of old ones', async () => {
      const socket = await tlsConnection(service.port, both);
      const pending = halfRequest(socket, ...requestLine());
      await files.put(second);
      await waitUntil(async () => (await servedName(service.port, both)) === 'second');
      expect(await pending.finish()).to.match(/^HTTP\/1\.1 422 .*"VALIDATION_FAIL"/s);
      socket.destroy();
      const { text } = await request(service.opsUrl).get('/metrics');
      expect(expiryIn(text)).to.equal(second.expiresAt.getTime() / 1000);
    });

    it('keeps its certificate when the new files do not match, logs that once, and loads the next', async () => {
      const earlier = service.log().length;
      const log = () => service.log().slice(earlier);
      await files.put({ cert: second.cert, key: first.key });
      await waitUntil(() => log().includes('keeping the old TLS certificate'));
      expect(log()).to.contain('TLS_KEY_FILE does not match the certificate');
      expect(await servedName(service.port, both)).to.equal('first');
      await files.put({ cert: second.cert.slice(0, 200), key: second.key });
      await waitUntil(() => log().includes('must contain a certificate'));
      expect(await servedName(service.port, both)).to.equal('first');
      await files.put(second);
      await waitUntil(async () => (await servedName(service.port, both)) === 'second');
      expect(log().match(/keeping the old TLS certificate/g)).to.have.length(2);
      const secretLines = first.key.split('\n').filter((line) => line.length === 64);
      expect(secretLines).to.not.be.empty;
      for (const line of secretLines) expect(service.log()).to.not.contain(line);
    });

    // The last test, because it stops the service.
    it('completes requests in progress on SIGTERM and accepts no new connections', async () => {
      const socket = await tlsConnection(service.port, both);
      const pending = halfRequest(socket, ...requestLine());
      // A connection without a TLS handshake must not delay the shutdown.
      const silent = connectPlain(service.port, '127.0.0.1');
      await once(silent, 'connect');
      // This response shows that the half request before it has arrived.
      expect((await request(service.url).get('/openapi.yaml').ca(first.cert)).status).to.equal(200);
      const exit = service.kill('SIGTERM');
      await waitUntil(async () => (await connectionError(service.port)) === 'ECONNREFUSED');
      expect(await pending.finish()).to.match(/^HTTP\/1\.1 422 .*"VALIDATION_FAIL"/s);
      silent.destroy();
      expect(await exit).to.equal(0);
    });

    function requestLine(): [method: string, path: string, token: string] {
      return name === 'query' ? ['POST', '/metric_data', token] : ['PUT', '/metadata', token];
    }

    async function expectRejected(): Promise<void> {
      const alert = 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION';
      expect(await connectionError(service.port, tls11)).to.equal(alert);
    }
  });
}

/** The same client can connect to a server that allows TLS 1.1, so the service is what rejects it. */
async function expectAcceptedByOtherServer(): Promise<void> {
  const { cert, key } = first;
  const lax = { cert, key, minVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const server = createServer(lax).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = await tlsConnection(port, [first], tls11);
  expect(socket.getProtocol()).to.equal('TLSv1.1');
  socket.destroy();
  server.close();
}

async function connectionError(
  port: number,
  options: ConnectionOptions = {},
): Promise<string | undefined> {
  try {
    (await tlsConnection(port, both, options)).destroy();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function expiryIn(metrics: string): number {
  const line = /^netpanel_tls_certificate_expiry_seconds\{.*\} (\S+)$/m.exec(metrics);
  return Number(line?.[1]);
}
