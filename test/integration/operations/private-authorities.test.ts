import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startPostgres } from '../../../deploy/local/start-postgres.ts';
import { readQueryConfig } from '../../../services/query/config.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres } from '../../../services/shared/postgres/connect-postgres.ts';
import { openStore } from '../../support/export-store.ts';
import { freePorts } from '../../support/free-ports.ts';
import { localStack } from '../../support/local-stack.ts';
import { startS3 } from '../../support/s3-server.ts';
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts';

// Each store has a certificate of an authority that only the file of its own setting contains.
describe('a store with a certificate of a private authority', () => {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-authorities-'));
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it('is trusted by CLICKHOUSE_CA_FILE, and by nothing else', async () => {
    const { env, clickhouseUrl } = await localStack();
    const { url, caFile } = await behindTls('clickhouse', clickhouseUrl);
    const connect = async (settings: Readonly<Record<string, string>>) => {
      const config = readQueryConfig({ ...env, CLICKHOUSE_URL: url, ...settings });
      const client = connectClickHouse(config, 'test');
      try {
        const rows = await client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' });
        return await rows.json();
      } finally {
        await client.close();
      }
    };
    expect(await connect({ CLICKHOUSE_CA_FILE: caFile })).to.deep.equal([{ one: 1 }]);
    expect(await rejectionOf(connect({}))).to.include('self-signed certificate');
    expect(await rejectionOf(connect({ S3_CA_FILE: caFile }))).to.include('self-signed');
  });

  it('is trusted by S3_CA_FILE, and by nothing else', async () => {
    const s3 = await startS3();
    stops.push(() => s3.stop());
    const { url, caFile } = await behindTls('s3', s3.settings.S3_ENDPOINT!);
    const store = async (settings: Readonly<Record<string, string>>) => {
      const opened = await openStore({ ...s3.settings, S3_ENDPOINT: url, ...settings });
      await opened.check();
    };
    await store({ S3_CA_FILE: caFile });
    expect(await rejectionOf(store({ CLICKHOUSE_CA_FILE: caFile }))).to.include('certificate');
  });

  it('is trusted by sslrootcert of DATABASE_URL', async () => {
    const [port = 0] = await freePorts(1);
    const dataDir = join(folder, 'postgres');
    const server = await startPostgres({ port, dataDir, onLog: () => undefined });
    stops.push(() => server.stop());
    const caFile = await useTls(server.url, dataDir);
    const one = async (parameters: string) => {
      const database = connectPostgres(`${server.url}?${parameters}`, 1, 'test');
      try {
        const { rows } = await database.raw<{ rows: object[] }>(
          'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
        );
        return rows;
      } finally {
        await database.destroy();
      }
    };
    const trusted = await one(`sslmode=verify-full&sslrootcert=${caFile}`);
    expect(trusted).to.deep.equal([{ ssl: true }]);
    expect(await rejectionOf(one('sslmode=verify-full'))).to.include('self-signed certificate');
  });

  it('is reported with the others if its file is missing or not PEM', () => {
    const notPem = join(folder, 'not.pem');
    writeFileSync(notPem, 'text');
    const missing = join(folder, 'missing.pem');
    const problem = () => readQueryConfig({ CLICKHOUSE_CA_FILE: missing, S3_CA_FILE: notPem });
    expect(problem)
      .to.throw()
      .with.property('message')
      .that.includes(`CLICKHOUSE_CA_FILE cannot be read: ${missing} (ENOENT)`)
      .and.includes(`S3_CA_FILE must contain certificates in PEM: ${notPem}`)
      .and.includes('DATABASE_URL is not set');
  });

  /** An HTTPS proxy with a certificate of its own. */
  async function behindTls(name: string, target: string): Promise<{ url: string; caFile: string }> {
    const { cert, key } = selfSignedCertificate({ name });
    const server: Server = createServer({ cert, key }, (req, res) => {
      const { method, headers } = req;
      const forwarded = request(new URL(req.url ?? '/', target), { method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      req.pipe(forwarded);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => server.close(resolve)));
    const caFile = join(folder, `${name}.pem`);
    writeFileSync(caFile, cert);
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caFile };
  }

  async function useTls(url: string, dataDir: string): Promise<string> {
    const { cert, key } = selfSignedCertificate({ name: 'postgres' });
    // Postgres refuses a key that others can read or that another user owns.
    const { uid, gid } = statSync(join(dataDir, 'PG_VERSION'));
    for (const [file, content] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
      const path = join(dataDir, file);
      writeFileSync(path, content, { mode: 0o600 });
      chownSync(path, uid, gid);
    }
    const database = connectPostgres(url, 1, 'test');
    await database.raw('alter system set ssl = on');
    await database.raw('select pg_reload_conf()');
    await database.destroy();
    const caFile = join(folder, 'postgres.pem');
    writeFileSync(caFile, cert);
    return caFile;
  }
});

async function rejectionOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (error) {
    const { message, cause } = error as Error;
    return `${message} ${cause instanceof Error ? cause.message : ''}`;
  }
}
