import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from '../../test/support/local-stack.ts';
import { ScrapedMetrics } from '../../test/support/scraped-metrics.ts';
import { newTenant, newTenantToken } from '../../test/support/tenant.ts';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { median, quantile } from '../measure/quantile.ts';
import { timedMs } from '../measure/side-by-side.ts';

const batchRows = 10_000;
/** Sent one after another, as a collector does that has many results. */
const batchesPerRound = 5;
const unitCount = 100;
const postsPerSecond = 500;
const longestLoadSeconds = 30;
/** ClickHouse's own asynchronous inserts may not keep up: then all requests wait for those before. */
const asyncSeconds = 5;

/**
 * The speed of POST /results compared with posting the same rows to ClickHouse, and many requests with one row each: by
 * the service, and by ClickHouse's own asynchronous inserts.
 */
export async function ingest({ stack, rounds, loadSeconds, print }: Bench): Promise<Measurement[]> {
  const panel = await newPanel(stack);
  const measurements: Measurement[] = [];
  const add = (what: string, value: number, unit: string, target?: Measurement['target']) => {
    print(`${what}: ${value.toFixed(2)} ${unit}`);
    measurements.push({ section: 'ingest', what, value, unit, ...(target && { target }) });
  };
  for (const format of ['CSV', 'NDJSON'] as const) {
    const { service, direct } = await roundTimes(panel, format, rounds);
    const rows = batchRows * batchesPerRound;
    add(`POST of 10,000 rows as ${format}`, (1000 * rows) / service, 'rows/s');
    add(`POST of 10,000 rows as ${format} against ClickHouse`, direct / service, '', {
      atLeast: 0.7,
    });
  }
  const seconds = Math.min(loadSeconds, longestLoadSeconds);
  const before = await insertCount(stack);
  const posts = await steadyLoad(seconds, (i) => postOne(panel, i));
  const inserts = (await insertCount(stack)) - before;
  add(`one row at ${postsPerSecond}/s, p50`, quantile(posts, 0.5), 'ms');
  add(`one row at ${postsPerSecond}/s, p99`, quantile(posts, 0.99), 'ms');
  add('failed requests', failuresOf(posts), '', { atMost: 0 });
  add('parts per minute', (inserts * 60) / seconds, '', { atMost: 600 });
  const asynchronous = await steadyLoad(Math.min(seconds, asyncSeconds), (i) =>
    insertOne(panel, i),
  );
  const asyncName = `one row at ${postsPerSecond}/s by async_insert`;
  add(`${asyncName}, p50`, quantile(asynchronous, 0.5), 'ms');
  add(`${asyncName}, p99`, quantile(asynchronous, 0.99), 'ms');
  return measurements;
}

function failuresOf(times: readonly number[]): number {
  return times.filter((time) => time === Infinity).length;
}

interface Panel {
  readonly stack: LocalStack;
  readonly organisationId: number;
  readonly token: string;
}

async function newPanel(stack: LocalStack): Promise<Panel> {
  const { database } = stack;
  const { organisationId } = await newTenant(database);
  const token = await newTenantToken(database, organisationId, 'data', {
    scopes: ['results:write'],
  });
  await database('agents').insert(
    Array.from({ length: unitCount }, (_, unit) => ({
      organisation_id: organisationId,
      agent_id: `bench-${unit}`,
      unit_id: unit,
      kind: 'whitebox',
    })),
  );
  return { stack, organisationId, token };
}

/** Medians in milliseconds. Every batch has new rows. */
async function roundTimes(panel: Panel, format: BatchFormat, rounds: number) {
  const times = { service: [] as number[], direct: [] as number[] };
  const type = format === 'CSV' ? 'text/csv' : 'application/x-ndjson';
  const statement = `INSERT INTO test_httpget FORMAT ${format === 'CSV' ? 'CSVWithNames' : 'JSONEachRow'}`;
  for (let round = 0; round < rounds; round++) {
    const batches = Array.from({ length: batchesPerRound }, (_, batch) =>
      newBatch(panel, format, `${format}-${round}-${batch}`),
    );
    times.service.push(
      await timedMs(async () => {
        for (const { body } of batches) await postResults(panel, body, type);
      }),
    );
    times.direct.push(
      await timedMs(async () => {
        for (const { stored } of batches) await insert(panel, statement, stored);
      }),
    );
  }
  return { service: median(times.service), direct: median(times.direct) };
}

type BatchFormat = 'CSV' | 'NDJSON';

/** Rows for the service, and similar ones as they are stored in ClickHouse. */
function newBatch({ organisationId }: Panel, format: BatchFormat, target: string) {
  const rows = Array.from({ length: batchRows }, (_, i) => resultRow(i, target));
  const stored = rows.map((row) => ({
    organisation_id: organisationId,
    agent_key: row.unit_id,
    agent_id: `bench-${row.unit_id}`,
    ...row,
    target: `direct-${target}`,
  }));
  const text = format === 'CSV' ? csv : ndjson;
  return { body: text(rows), stored: text(stored) };
}

function resultRow(i: number, target: string) {
  const time = new Date(Date.now() - 3_600_000 - Math.floor(i / unitCount) * 1000);
  return {
    unit_id: i % unitCount,
    dtime: time.toISOString().slice(0, 19).replace('T', ' '),
    target,
    address: '192.0.2.1',
    fetch_time: 10_000_000 + i,
    bytes_total: 115_000_000 + i,
    bytes_sec: 11_500_000 + i,
    warmup_time: 3_000_000,
    threads: 3,
    successes: 1,
  };
}

function csv(rows: readonly object[]): string {
  const header = Object.keys(rows[0] ?? {}).join(',');
  return `${[header, ...rows.map((row) => Object.values(row).join(','))].join('\n')}\n`;
}

function ndjson(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/**
 * Starts requests at a steady rate, whether or not earlier ones have ended. Their times in milliseconds; Infinity for a
 * request that failed.
 */
async function steadyLoad(
  seconds: number,
  start: (i: number) => Promise<void>,
): Promise<readonly number[]> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let i = 0; i < seconds * postsPerSecond; i++) {
    const dueMs = startedMs + (1000 * i) / postsPerSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    running.push(
      start(i).then(
        () => void times.push(performance.now() - dueMs),
        () => void times.push(Infinity),
      ),
    );
  }
  await Promise.all(running);
  return times;
}

function postOne(panel: Panel, i: number): Promise<void> {
  return postResults(panel, `${JSON.stringify(resultRow(i, 'one'))}\n`, 'application/x-ndjson');
}

function insertOne(panel: Panel, i: number): Promise<void> {
  const row = {
    organisation_id: panel.organisationId,
    agent_key: i % unitCount,
    ...resultRow(i, 'async'),
  };
  const statement =
    'INSERT INTO test_httpget SETTINGS async_insert = 1, wait_for_async_insert = 1 FORMAT JSONEachRow';
  return insert(panel, statement, JSON.stringify(row));
}

const connections = new Agent({ keepAlive: true, maxSockets: 1_000 });

function postResults({ stack, token }: Panel, body: string, type: string): Promise<void> {
  return post(new URL('/results/httpget', stack.ingestUrl), body, {
    authorization: `Bearer ${token}`,
    'content-type': type,
  });
}

function insert({ stack }: Panel, statement: string, body: string): Promise<void> {
  const url = new URL(stack.clickhouseUrl);
  url.searchParams.set('database', 'netpanel');
  url.searchParams.set('query', statement);
  return post(url, body, {});
}

function post(url: URL, body: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method: 'POST', agent: connections, headers },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${url.pathname}: ${response.statusCode} ${text.slice(0, 300)}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function insertCount({ ingestOpsUrl }: LocalStack): Promise<number> {
  const metrics = await ScrapedMetrics.from(ingestOpsUrl);
  return metrics.value('netpanel_ingest_requests_per_insert_count');
}
