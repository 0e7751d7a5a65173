import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { Registry } from 'prom-client';
import { listen } from '../../../services/shared/http/listener.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { TlsCertificate } from '../../../services/shared/tls/tls-certificate.ts';
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts';
import { tlsFolder } from '../../support/tls-files.ts';

describe('a listener', () => {
  it('closes after the grace period despite a connection without a TLS handshake', async function () {
    this.timeout(8_000);
    const files = await tlsFolder(selfSignedCertificate());
    const { TLS_CERT_FILE: tlsCertFile, TLS_KEY_FILE: tlsKeyFile } = files.settings;
    const logger = createLogger('listener-under-test', 'error');
    const tools = { logger, registry: new Registry() };
    const certificate = await TlsCertificate.open({ tlsCertFile, tlsKeyFile }, tools);
    const listener = await listen(express(), '127.0.0.1', 0, certificate);
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
});
