import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { parseCsv } from '../../../services/results/csv.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk, spawnNetpanel } from '../../support/netpanel.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const units = 1_000;
const testsPerUnit = 1_000;
const rowCount = units * testsPerUnit;

describe('netpanel load of many rows', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let folder: string;
  let path: string;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    folder = mkdtempSync(join(tmpdir(), 'netpanel-large-'));
    path = join(folder, 'million.csv');
    await pipeline(Readable.from(millionRows(), { objectMode: false }), createWriteStream(path));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const count = async (final: 'FINAL' | '') => {
    const result = await stack.clickhouse.query({
      query: `SELECT toUInt32(count()) AS row_count, toUInt32(uniqExact(agent_key)) AS agents,
  toString(sum(rtt_avg)) AS total
FROM test_latency ${final} WHERE organisation_id = ${tenant.organisationId}`,
      format: 'JSONEachRow',
    });
    return (await result.json<{ row_count: number; agents: number; total: string }>())[0]!;
  };
  const args = () => ['load', '--org', tenant.name, '--test', 'latency', path] as const;

  it('stores every row once after it was killed and started again', async () => {
    const child = spawnNetpanel(stack, ...args());
    const ended = new Promise((resolve) => child.once('close', resolve));
    // Kills the process after the first block and before the last.
    await waitUntil(async () => {
      expect(child.exitCode).to.equal(null);
      return (await count('')).row_count > 0;
    });
    child.kill('SIGKILL');
    await ended;
    expect((await count('')).row_count).to.be.lessThan(rowCount);

    await netpanelOk(stack, ...args());
    expect(await count('FINAL')).to.deep.equal({
      row_count: rowCount,
      agents: units,
      total: String((rowCount * (rowCount - 1)) / 2),
    });
  });

  it('sends nothing if all rows exist already', async () => {
    // ClickHouse merges the copies of the killed load away, now or while the rows are counted.
    await stack.clickhouse.command({ query: 'OPTIMIZE TABLE test_latency FINAL' });
    const before = await count('');
    expect(await netpanelOk(stack, ...args())).to.include(
      `0 rows loaded, ${rowCount} already there`,
    );
    expect(await count('')).to.deep.equal(before);
  });

  it('with other columns keeps the line numbers and values of 120,000 rows', async () => {
    const rows = Array.from({ length: 120_000 }, (_, i) =>
      i % 40_000 === 39_999
        ? `${i},bad,x`
        : `${i % 50},${1_790_000_000 + i},"a\n${'y'.repeat(90)}"`,
    );
    const many = join(folder, 'many.csv');
    writeFileSync(many, `id,seconds,filler\n${rows.join('\n')}\n`);
    const map = ['--map', 'unit_id=id+1', '--map', "dtime='2026-11-01 10:00:00'"];
    const more = ['--map', 'target=seconds', '--map', 'bytes_total=seconds-1790000000'];
    const { stdout } = await netpanel(
      stack,
      ...['load', '--org', tenant.name, '--no-wait', '--test', 'httpget', ...map, ...more, many],
    );
    expect(stdout).to.include('120000 rows read: 119997 rows loaded, 3 rejected');
    const [, ...rejected] = parseCsv(readFileSync(`${many}.rejects.csv`, 'utf8'));
    // A row has two lines, except the rejected ones before it.
    expect(rejected.map(([line]) => line)).to.deep.equal(['80000', '159999', '239998']);
    const total = 'toUInt32(count()) AS n, toString(sum(bytes_total)) AS total';
    const sum = (120_000 * 119_999) / 2 - 39_999 - 79_999 - 119_999;
    const result = await stack.clickhouse.query({
      query: `SELECT ${total} FROM test_httpget FINAL WHERE organisation_id = ${tenant.organisationId}`,
      format: 'JSONEachRow',
    });
    expect(await result.json()).to.deep.equal([{ n: 119_997, total: String(sum) }]);
  });
});

function* millionRows(): Generator<string> {
  yield 'unit_id,dtime,target,rtt_avg,rtt_min,rtt_max,rtt_std,successes,failures\n';
  const startMs = Date.UTC(2026, 8, 1);
  const times = Array.from({ length: testsPerUnit }, (_, i) =>
    new Date(startMs + i * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
  );
  for (let unit = 0; unit < units; unit++) {
    yield times
      .map((time, i) => {
        const rtt = unit * testsPerUnit + i;
        return `${5_000_000 + unit},${time},sp1-vm-test-us.example.net,${rtt},${rtt},${rtt},0,2000,1\n`;
      })
      .join('');
  }
}
