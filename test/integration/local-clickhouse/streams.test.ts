import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import type { LocalClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { unpackLz4Frames } from '../../../deploy/local/clickhouse/compression/lz4-frames.ts';
import { localClickHouse, quietClient } from '../../support/local-clickhouse.ts';
import { residentBytes } from '../../support/resident-bytes.ts';

describe('the local ClickHouse server: streams', () => {
  let server: LocalClickHouse;
  let client: ClickHouseClient;

  before(async () => {
    server = await localClickHouse();
    client = quietClient(server.url);
  });
  after(() => client.close());

  const text = async (sql: string) =>
    (await fetch(server.url, { method: 'POST', body: sql })).text();

  for (const format of ['CSVWithNames', 'TabSeparatedWithNames', 'JSONCompactEachRowWithNames']) {
    it(`sends the header of ${format} once, for any size and names`, async () => {
      const csv = await text(
        `SELECT number AS \`a "lone\nquote\` FROM numbers(500000) FORMAT ${format}`,
      );
      const headers = csv.match(/lone/g) ?? [];
      expect(headers).to.have.length(1);
      expect(csv.trimEnd().split('\n').slice(-500_000)[0]).to.match(/^\[?0\]?$/);
      expect(csv.trimEnd().split('\n').at(-1)).to.match(/^\[?499999\]?$/);
    });
  }

  it('sends the header of CSVWithNamesAndTypes once, also for an empty result', async () => {
    const csv = await text('SELECT number AS n FROM numbers(200000) FORMAT CSVWithNamesAndTypes');
    expect(csv.slice(0, 17)).to.equal('"n"\n"UInt64"\n0\n1\n');
    expect(csv.split('\n')).to.have.length(200_003);
    expect(await text('SELECT 1 AS n WHERE 0 FORMAT CSVWithNames')).to.equal('"n"\n');
  });

  it('separates totals from the rows', async () => {
    const sql = 'SELECT number % 2 AS n, count() AS c FROM numbers(4) GROUP BY n WITH TOTALS';
    expect(await text(`${sql} ORDER BY n FORMAT CSV`)).to.equal('0,2\n1,2\n\n0,4\n');
  });

  const failsLate = 'SELECT throwIf(number = 900000), number FROM numbers(1000000)';

  it('reports an error in the first megabyte by its status', async () => {
    const response = await fetch(server.url, {
      method: 'POST',
      body: 'SELECT throwIf(number = 90000), number FROM numbers(1000000)',
    });
    expect(response.status).to.equal(500);
    expect(await response.text()).to.match(/^Code: 395\./);
  });

  it('reports an error after the first megabyte to the client', async () => {
    const result = await client.query({ query: failsLate, format: 'JSONEachRow' });
    const error = await countRows(result.stream()).catch((reason: unknown) => reason);
    expect(error).to.include({ code: '395', type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO' });
  });

  for (const encoding of ['identity', 'gzip', 'lz4']) {
    it(`sends an exception frame after the first megabyte and never completes the body (${encoding})`, async () => {
      const search = encoding === 'identity' ? '' : '?enable_http_compression=1';
      const response = await open(`${server.url}/${search}`, `${failsLate} FORMAT CSV`, encoding);
      expect(response.statusCode).to.equal(200);
      expect(response.headers['content-encoding'] ?? 'identity').to.equal(encoding);
      const { body, isBroken } = await readAll(response, encoding);
      const tag = String(response.headers['x-clickhouse-exception-tag']);
      expect(tag).to.match(/^[0-9a-z]{16}$/);
      const frame = new RegExp(
        `\\r\\n__exception__\\r\\n${tag}\\r\\n(Code: 395\\..*\\n)(\\d+) ${tag}\\r\\n__exception__\\r\\n$`,
        's',
      ).exec(body);
      expect(Number(frame?.[2])).to.equal(Buffer.byteLength(frame?.[1] ?? ''));
      expect(body.length).to.be.greaterThan(1024 ** 2);
      expect(isBroken).to.equal(true);
      expect(response.complete).to.equal(false);
    });
  }

  it('buffers the whole response with wait_end_of_query, so a late error has its status', async () => {
    const response = await fetch(`${server.url}/?wait_end_of_query=1`, {
      method: 'POST',
      body: failsLate,
    });
    expect(response.status).to.equal(500);
    expect(await response.text()).to.match(/^Code: 395\./);
  });

  // Rows of 120 bytes: 600 MB in all.
  const large = "SELECT number, repeat('x', 100) AS padding FROM numbers(5000000)";

  it('streams five million rows with constant client memory', async () => {
    const result = await client.query({ query: large, format: 'JSONEachRow' });
    const before = process.memoryUsage().rss;
    let largestGrowth = 0;
    const rows = await countRows(result.stream(), () => {
      largestGrowth = Math.max(largestGrowth, process.memoryUsage().rss - before);
    });
    expect(rows).to.equal(5_000_000);
    expect(largestGrowth).to.be.lessThan(250 * 1024 ** 2);
  }).timeout(180_000);

  it('serves other queries with constant memory while a client reads a large stream slowly', async () => {
    const response = await open(server.url, `${large} FORMAT TSV`, 'identity');
    const [first] = (await once(response, 'data')) as [Buffer];
    response.pause();
    const before = residentBytes(server.pid);
    for (let i = 0; i < 60; i++) expect(await text(`SELECT ${i}`)).to.equal(`${i}\n`);
    expect(residentBytes(server.pid) - before).to.be.lessThan(200 * 1024 ** 2);
    expect(response.complete).to.equal(false);

    let lines = countLines(first);
    for await (const piece of response as AsyncIterable<Buffer>) lines += countLines(piece);
    expect(lines).to.equal(5_000_000);
    expect(response.complete).to.equal(true);
  }).timeout(180_000);
});

async function countRows(rows: Readable, onRows: () => void = () => undefined): Promise<number> {
  let count = 0;
  for await (const batch of rows as AsyncIterable<unknown[]>) {
    count += batch.length;
    onRows();
  }
  return count;
}

async function open(url: string, sql: string, encoding: string): Promise<IncomingMessage> {
  const sent = request(url, { method: 'POST', headers: { 'accept-encoding': encoding } }).end(sql);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

const decompressors: Readonly<Record<string, (body: Buffer) => Uint8Array>> = {
  gzip: (body) => gunzipSync(body),
  lz4: (body) => unpackLz4Frames(body, 1024 ** 3),
};

async function readAll(
  response: IncomingMessage,
  encoding: string,
): Promise<{ body: string; isBroken: boolean }> {
  const pieces: Buffer[] = [];
  response.on('data', (piece: Buffer) => pieces.push(piece));
  const isBroken = await Promise.race([
    once(response, 'end').then(() => false),
    once(response, 'aborted').then(() => true),
  ]);
  const bytes = Buffer.concat(pieces);
  const decompress = decompressors[encoding] ?? ((body) => body);
  return { body: Buffer.from(decompress(bytes)).toString(), isBroken };
}

function countLines(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) count++;
  return count;
}
