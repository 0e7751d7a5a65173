import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, type FileData, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };
const daily = {
  ...plainRequest,
  splits: ['target', 'threads'],
  time: { from: '2026-03-01 00:00', to: '2026-03-02 23:59' },
};
const raw = { ...daily, chartType: 'raw', aggregation: undefined, splits: [] };

// Texts that can break CSV, including the marker of ClickHouse's own errors.
const hostileTargets = [
  'plain',
  'a "quoted" one',
  'comma, semicolon; tab\t',
  'CR\rLF\nCRLF\r\nend',
  '"',
  '""\n""',
  'NUL \\0 \\N NULL \u0001',
  '\r\n__exception__\r\n0123456789abcdef\r\nCode: 396. DB::Exception: no\n',
  '=1+1',
  'ünïcode 東京',
];

describe('exports', () => {
  let api: DataApi;
  let clickhouse: ClickHouseClient;
  let stateDir: string;

  before(async () => {
    const stack = await localStack();
    ({ clickhouse, stateDir } = stack);
    const { database, queryUrl } = stack;
    const tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    const agent = { agentId: 'wb-1', unitId: 72 };
    const agentKey = await addAgent(database, tenant.organisationId, agent);
    await addDownloads(
      clickhouse,
      tenant.organisationId,
      hostileTargets.map((target, i) => {
        const dtime = `2026-03-01 00:00:0${i}.000`;
        return { agentKey, ...agent, dtime, mbps: 8 + i, target };
      }),
    );
    // Until then, responses have a warning.
    await waitUntilPublished(database, tenant.organisationId);
  });

  describe('POST /metric_data.csv', () => {
    it("200: the file equals ClickHouse's own CSV, byte for byte", async () => {
      const data = fileData(await api.post('/metric_data.csv', daily));
      const file = await fetched(data.url);
      const expected = await clickhouseCsv(await manifestSql(data));
      expect(file.equals(expected)).to.equal(true);
      expect(data.bytes).to.equal(file.length);
      expect(data.rows).to.equal(hostileTargets.length);
    });

    it('200: one column per split, then the fields of the JSON response, one column per percentile', async () => {
      const data = fileData(await api.post('/metric_data.csv', daily));
      const [header] = (await fetched(data.url)).toString('utf8').split('\n');
      const names =
        'target threads metricValue dtime stdDev sampleCount agentCount unitCount ci90 ci95 ci99 min max median p1 p5 p10 p20 p25 p50 p75 p80 p90 p95 p99 partial';
      expect(header).to.equal(
        names
          .split(' ')
          .map((name) => `"${name}"`)
          .join(','),
      );
    });

    it('200: numbers are plain, texts quoted, nulls empty, lines end with LF', async () => {
      const data = fileData(await api.post('/metric_data.csv', { ...raw, splits: ['isp'] }));
      const lines = (await fetched(data.url)).toString('utf8').split('\n');
      expect(lines[0]).to.equal('"isp","metricValue","dtime","agent","unit"');
      expect(lines[1]).to.equal(',8,"2026-03-01T00:00:00","wb-1","72"');
      expect(lines.at(-1)).to.equal('');
    });

    it('422: for the same errors as the JSON endpoint', async () => {
      const { status, body } = await api.post('/metric_data.csv', { ...daily, metric: 'htpget' });
      expect(status).to.equal(422);
      expect(body.errors?.metric?.[0]).to.include('"httpget"');
    });

    it('200: ignores a format, which only downloads accept, with a warning', async () => {
      const response = await api.post('/metric_data.csv', { ...daily, format: 'parquet' });
      expect((await fetched(fileData(response).url)).toString()).to.match(/^"target",/);
      expect(response.body.warnings?.map(({ field }) => field)).to.deep.equal(['format']);
    });
  });

  describe('POST /test_data.csv', () => {
    it('200: values with quotes, commas, line ends and error markers are unchanged', async () => {
      const data = fileData(await api.post('/test_data.csv', march));
      const file = await fetched(data.url);
      const records = parseCsv(file.toString('utf8'));
      const target = records[0]!.indexOf('target');
      expect(records.slice(1).map((record) => record[target])).to.deep.equal(hostileTargets);
      expect(data).to.include({ rows: hostileTargets.length, bytes: file.length });
      expect(file.equals(await clickhouseCsv(await manifestSql(data)))).to.equal(true);
    });
  });

  describe('POST /test_data_download', () => {
    it('200: returns the link, bucket and key of the object, and stores a manifest beside it', async () => {
      const { data, file } = await download(march);
      expect(data.bucket).to.equal('exports');
      const path = join(stateDir, 'exports', data.key!);
      expect((await readFile(path)).equals(file)).to.equal(true);
      const manifest = await readManifest(data.key!);
      expect(manifest).to.deep.include({ request: march, rows: data.rows, bytes: data.bytes });
      expect(manifest.sha256).to.equal(createHash('sha256').update(file).digest('hex'));
      expect(manifest.metadataSnapshotVersion).to.be.a('number');
      expect(manifest.sql).to.match(/^SELECT/);
    });

    it('200: csv.gz is the same CSV, compressed', async () => {
      const plain = await download(march);
      const gzipped = await download({ ...march, format: 'csv.gz' });
      expect(gunzipSync(gzipped.file).equals(plain.file)).to.equal(true);
      expect(gzipped.data).to.include({ rows: plain.data.rows, bytes: gzipped.file.length });
    });

    it('200: ClickHouse reads the same rows from a parquet file', async () => {
      const { data, file } = await download({ ...march, format: 'parquet' });
      expect(file.subarray(0, 4).toString()).to.equal('PAR1');
      expect(file.subarray(-4).toString()).to.equal('PAR1');
      expect(data).to.include({ rows: hostileTargets.length, bytes: file.length });
      expect(await readFrom(file, 'target')).to.have.members(hostileTargets);
    });

    it('422: an unknown format', async () => {
      const wrong = { ...march, test: 'htpget', format: 'xls' };
      const { status, body } = await api.post('/test_data_download', wrong);
      expect(status).to.equal(422);
      expect(body.errors).to.have.all.keys('format', 'test');
      expect(body.errors?.format?.[0]).to.include('parquet');
    });
  });

  describe('POST /metric_data_download', () => {
    it('200: a custom field with numbers and texts is a column of texts in parquet', async () => {
      const { database, queryUrl } = await localStack();
      const tenant = await newTenant(database);
      for (const [i, area] of ['north', 7].entries()) {
        const agentId = `box-${i}`;
        const agentKey = await addAgent(database, tenant.organisationId, { agentId });
        await changeMetadata(
          database,
          tenant,
          {
            agent: { agent_id: agentId },
            metadata: { custom: { area } },
            backdate_from: Date.parse('2026-02-01') / 1000,
          },
          new Date('2026-02-10'),
        );
        const download = { agentKey, agentId, mbps: 80, dtime: '2026-03-01 10:00:00' };
        await addDownloads(clickhouse, tenant.organisationId, [download]);
      }
      await waitUntilPublished(database, tenant.organisationId);
      const own = new DataApi(queryUrl, tenant.dataToken);
      const request = { ...daily, splits: ['area'], format: 'parquet' };
      const { url } = fileData(await own.post('/metric_data_download', request));
      expect(await readFrom(await fetched(url), 'area')).to.have.members(['north', '7']);
    });

    it('200: stores metric data in the object store', async () => {
      const { body } = await api.post('/metric_data_download', { ...raw, format: 'csv' });
      const data = body.data as FileData;
      expect(data.rows).to.equal(hostileTargets.length);
      expect((await fetched(data.url)).length).to.equal(data.bytes);
    });
  });

  async function download(body: unknown): Promise<{ data: FileData; file: Buffer }> {
    const data = fileData(await api.post('/test_data_download', body));
    return { data, file: await fetched(data.url) };
  }

  async function readFrom(parquet: Buffer, column: string): Promise<string[]> {
    await clickhouse.command({
      query: `CREATE TABLE parquet_read (${column} String) ENGINE = Memory`,
    });
    try {
      const { clickhouseUrl } = await localStack();
      const insert = new URLSearchParams({
        query: 'INSERT INTO netpanel.parquet_read FORMAT Parquet',
      });
      const url = `${clickhouseUrl}/?${insert.toString()}`;
      expect((await fetch(url, { method: 'POST', body: parquet })).status).to.equal(200);
      const rows = await clickhouse.query({
        query: `SELECT ${column} AS value FROM parquet_read`,
        format: 'JSONEachRow',
      });
      return (await rows.json<{ value: string }>()).map(({ value }) => value);
    } finally {
      await clickhouse.command({ query: 'DROP TABLE parquet_read' });
    }
  }

  async function manifestSql({ url }: FileData): Promise<string> {
    const id = new URL(url).pathname.split('/').at(-1)!;
    const { database } = await localStack();
    const row = await database('exports').where({ id }).first<{ object_key: string }>('object_key');
    return (await readManifest(row.object_key)).sql as string;
  }

  async function readManifest(key: string): Promise<Record<string, unknown>> {
    const text = await readFile(join(stateDir, 'exports', `${key}.manifest.json`), 'utf8');
    return JSON.parse(text) as Record<string, unknown>;
  }

  async function clickhouseCsv(sql: string): Promise<Buffer> {
    const { stream } = await clickhouse.exec({
      query: `${sql} FORMAT CSVWithNames`,
      clickhouse_settings: { format_csv_null_representation: '' },
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
});

/** A strict parser of RFC 4180. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    record.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
