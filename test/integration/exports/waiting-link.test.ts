import { expect } from 'chai';
import { exportStatus, holdExport } from '../../support/background-export.ts';
import { fetched, type FileData, fileData } from '../../support/exported-file.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { request, rowCount, useSlowExports } from './use-slow-exports.ts';

describe('the link of an export that is still running', () => {
  const own = useSlowExports({ EXPORT_HEARTBEAT_MS: '100', EXPORT_WAIT_MS: '50' });

  beforeEach(() => holdExport(own.proxy));
  afterEach(async () => {
    own.proxy.heal();
    const running = { organisation_id: own.tenant.organisationId, status: 'running' };
    await waitUntil(async () => (await own.stack.database('exports').where(running)).length === 0);
  });

  it('is in a response with status 200, waits for the file, and sends it whole', async () => {
    const response = await own.api.post('/test_data.csv', request);
    expect(response.headers.get('preference-applied')).to.equal(null);
    expect(response.body.message).to.include('url waits for the file');
    const data = fileData(response);
    expect(data).to.have.all.keys('url', 'status', 'statusUrl', 'expiresAt');
    expect(data.status).to.equal('running');
    const waiting = fetch(data.url);
    await waitUntil(async () => (await waitingDownloads(own.service)) === 1);
    own.proxy.heal();
    const download = await waiting;
    expect(download.status).to.equal(200);
    expect(download.headers.get('netpanel-clock')).to.equal('UTC');
    expect(rowsIn(await download.text())).to.equal(rowCount);
    const ready = await exportStatus(own.api, idOf(data));
    expect(ready).to.include({ status: 'ready', rows: rowCount, statusUrl: data.statusUrl });
  });

  it('works on another replica than the one that runs the export', async () => {
    const replica = await startQueryService(own.settings({}));
    try {
      const { url } = fileData(await own.api.post('/test_data.csv', request));
      const waiting = fetch(url.replace(own.service.url, replica.url));
      await waitUntil(async () => (await waitingDownloads(replica)) === 1);
      own.proxy.heal();
      expect(rowsIn(await (await waiting).text())).to.equal(rowCount);
    } finally {
      await replica.stop();
    }
  });

  it('leads to the service for a download, and to the object store when the file is ready', async () => {
    const response = await own.api.post('/test_data_download', { ...request, format: 'parquet' });
    expect(response.body.message).to.include('statusUrl has the link of the object store');
    const data = fileData(response);
    expect(data).to.include({ status: 'running', bucket: own.storage.store.bucket });
    const waiting = fetched(data.url);
    await waitUntil(async () => (await waitingDownloads(own.service)) === 1);
    own.proxy.heal();
    const file = await waiting;
    expect(file.subarray(-4).toString()).to.equal('PAR1');
    const ready = await exportStatus(own.api, idOf(data));
    expect(ready).to.include({ status: 'ready', key: data.key, bytes: file.length });
    expect(new URL(ready.url).pathname).to.equal(`/objects/${data.key}`);
    expect((await fetched(ready.url)).equals(file)).to.equal(true);
  });

  it('waits for HEAD and for a byte range too', async () => {
    const { url } = fileData(await own.api.post('/test_data.csv', request));
    const head = fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    const part = fetch(url, { headers: { range: 'bytes=1-4' } });
    await waitUntil(async () => (await waitingDownloads(own.service)) === 2);
    own.proxy.heal();
    const { status, headers } = await part;
    expect(status).to.equal(206);
    expect(await (await part).text()).to.equal('base');
    const length = (await head).headers.get('content-length');
    expect(headers.get('content-range')).to.equal(`bytes 1-4/${length}`);
    expect(Number(length)).to.be.greaterThan(rowCount);
  });

  it('expires a fixed time after the file is ready, not after the request', async () => {
    const running = fileData(await own.api.post('/test_data.csv', request));
    own.proxy.heal();
    await fetched(running.url);
    const ready = await exportStatus(own.api, idOf(running));
    expect(Date.parse(ready.expiresAt)).to.be.greaterThan(Date.parse(running.expiresAt));
    const signedUntilMs = Number(new URL(running.url).searchParams.get('expires')) * 1000;
    expect(signedUntilMs).to.be.greaterThan(Date.parse(ready.expiresAt));
    await own.stack
      .database('exports')
      .where({ id: idOf(running) })
      .update({ expires_at: new Date() });
    const { status, body } = await errorOf(fetch(running.url));
    expect({ status, body }).to.deep.equal({
      status: 403,
      body: { code: 'ACCESS_DENIED', message: 'The link has expired.' },
    });
  });

  it('503: waits no longer than EXPORT_LINK_WAIT_MS, and works again afterwards', async () => {
    const impatient = await startQueryService(own.settings({ EXPORT_LINK_WAIT_MS: '50' }));
    try {
      const { url } = fileData(await own.api.post('/test_data.csv', request));
      const link = url.replace(own.service.url, impatient.url);
      const { status, headers, body } = await errorOf(fetch(link));
      expect(status).to.equal(503);
      expect(headers.get('retry-after')).to.equal('1');
      expect(body.message).to.include('request the same link again');
      own.proxy.heal();
      await waitUntil(async () => (await fetch(link)).status === 200);
      expect(rowsIn((await fetched(link)).toString())).to.equal(rowCount);
    } finally {
      await impatient.stop();
    }
  });

  it('503: the service shuts down', async () => {
    const stopped = await startQueryService(own.settings({}));
    const { url } = fileData(await own.api.post('/test_data.csv', request));
    const waiting = errorOf(fetch(url.replace(own.service.url, stopped.url)));
    await waitUntil(async () => (await waitingDownloads(stopped)) === 1);
    await stopped.stop(60_000);
    const { status, headers } = await waiting;
    expect(status).to.equal(503);
    expect(headers.get('retry-after')).to.equal('1');
  });

  it('429: the organisation has too many waiting downloads, until one disconnects', async () => {
    const limited = await startQueryService(own.settings({ MAX_WAITING_DOWNLOADS: '1' }));
    try {
      const { url } = fileData(await own.api.post('/test_data.csv', request));
      const link = url.replace(own.service.url, limited.url);
      const first = new AbortController();
      const disconnected = fetch(link, { signal: first.signal }).catch(() => undefined);
      await waitUntil(async () => (await waitingDownloads(limited)) === 1);
      const { status, headers, body } = await errorOf(fetch(link));
      expect({ status, code: body.code }).to.deep.equal({ status: 429, code: 'RATE_LIMITED' });
      expect(headers.get('retry-after')).to.equal('1');
      first.abort();
      await disconnected;
      await waitUntil(async () => (await waitingDownloads(limited)) === 0);
      const second = fetched(link);
      await waitUntil(async () => (await waitingDownloads(limited)) === 1);
      own.proxy.heal();
      expect(rowsIn((await second).toString())).to.equal(rowCount);
    } finally {
      await limited.stop();
    }
  });

  it('409: the export is cancelled', async () => {
    const data = fileData(await own.api.post('/test_data.csv', request));
    const waiting = errorOf(fetch(data.url));
    await own.api.send('DELETE', `/exports/${idOf(data)}`, {});
    expect(await waiting).to.deep.include({
      status: 409,
      body: { code: 'EXPORT_CANCELLED', message: 'The export was cancelled' },
    });
  });

  // What the metadata service and other replicas do to a running export.
  for (const [title, columns, status, code] of [
    [
      '404: the export fails, with the reason',
      {
        status: 'failed',
        failure_code: 'SERVICE_UNAVAILABLE',
        failure_message: 'The export was interrupted. Please start it again.',
      },
      404,
      'NOT_FOUND',
    ],
    ['410: a household is erased', { status: 'erased' }, 410, 'EXPORT_ERASED'],
  ] as const) {
    it(title, async () => {
      const data = fileData(await own.api.post('/test_data.csv', request));
      const waiting = errorOf(fetch(data.url));
      await own.stack
        .database('exports')
        .where({ id: idOf(data) })
        .update({ ...columns, finished_at: new Date() });
      const ended = await waiting;
      expect({ status: ended.status, code: ended.body.code }).to.deep.equal({ status, code });
      expect(ended.body.message).to.include('start it again');
      expect(ended.headers.get('retry-after')).to.equal(null);
    });
  }
});

function idOf({ statusUrl }: FileData): string {
  return statusUrl.slice(statusUrl.lastIndexOf('/') + 1);
}

/** Without the header. */
function rowsIn(csv: string): number {
  return csv.trimEnd().split('\n').length - 1;
}

async function errorOf(download: Promise<Response>) {
  const response = await download;
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as { code: string; message: string } };
}

async function waitingDownloads({ registry }: QueryService): Promise<number | undefined> {
  const { values } = await registry.getSingleMetric('netpanel_downloads_waiting')!.get();
  return values[0]?.value;
}
