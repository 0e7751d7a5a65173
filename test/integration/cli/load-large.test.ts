import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanelOk, spawnNetpanel } from '../../support/netpanel.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const units = 1_000;
const testsPerUnit = 1_000;
const rowCount = units * testsPerUnit;

describe('netpanel load of a million rows', () => {
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
