import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { ClickHouseError } from '@clickhouse/client';
import { expect } from 'chai';
import { type LocalClickHouse, startClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { exceptionGuard } from '../../../services/query/execution/exception-guard.ts';
import { readResponse } from '../../../services/query/execution/read-response.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePort } from '../../support/free-port.ts';
import { newDataDir } from '../../support/local-clickhouse.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

// ClickHouse 25.8 LTS sends no tag, so only the end of the HTTP response tells a report from a value that looks like it.
describe('a response of ClickHouse before 25.11', () => {
  const engine = join(repositoryRoot, 'dist/test/engines/untagged-engine.js') as `${string}.js`;
  let server: LocalClickHouse;
  let proxy: TcpProxy;

  before(async () => {
    server = await startClickHouse({ port: await freePort(), dataDir: newDataDir(), engine });
    proxy = await startTcpProxy(server.url);
  });
  after(async () => {
    await proxy.stop();
    await server.stop();
  });
  afterEach(() => proxy.heal());

  // The marker with a report, as a target that an agent measures could be named.
  const hostile =
    "concat('x\r\n__exception__\r\nCode: 396. DB::Exception: no (version 25.8.1.1)\n', toString(number))";
  const rows = (format: string) => `SELECT ${hostile} AS a FROM numbers(50000) FORMAT ${format}`;

  for (const format of ['CSVWithNames', 'JSONEachRow', 'Parquet']) {
    it(`is complete with values that contain the marker: ${format}`, async () => {
      const { received, error } = await outcome(server.url, rows(format));
      expect(error).to.equal(undefined);
      const response = await fetch(server.url, { method: 'POST', body: rows(format) });
      expect(received.equals(Buffer.from(await response.arrayBuffer()))).to.equal(true);
      expect(received.length).to.be.greaterThan(100_000);
    });

    it(`is an error if the connection breaks: ${format}`, async () => {
      // As many bytes as a part of each of the three responses.
      proxy.fault({ kind: 'cut', direction: 'to the service', afterBytes: 100_000 });
      const { error } = await outcome(proxy.url, rows(format));
      expect(error).to.be.instanceOf(Error);
    });
  }

  for (const format of ['CSVWithNames', 'JSONEachRow']) {
    it(`is the error that ClickHouse reports after the first rows: ${format}`, async () => {
      const sql = `SELECT throwIf(number = 900000), number FROM numbers(1000000) FORMAT ${format}`;
      const { error, received } = await outcome(server.url, sql);
      expect(error).to.be.instanceOf(ClickHouseError);
      expect(error).to.include({ code: '395', type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' });
      expect(received.toString()).not.to.contain('__exception__');
    });
  }
});

/** What a caller of the service would receive, and the error that ends it. */
async function outcome(url: string, sql: string) {
  const sent = request(url, { method: 'POST' });
  sent.end(sql);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.headers).not.to.have.property('x-clickhouse-exception-tag');
  const received: Buffer[] = [];
  try {
    for await (const chunk of exceptionGuard(readResponse(response), undefined))
      received.push(chunk);
    return { received: Buffer.concat(received), error: undefined };
  } catch (error) {
    return { received: Buffer.concat(received), error };
  }
}
