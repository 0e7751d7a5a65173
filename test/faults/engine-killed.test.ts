import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { type LocalClickHouse, startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { Random } from '../property/random.ts';
import { freePort } from '../support/free-port.ts';
import { newDataDir, quietClient } from '../support/local-clickhouse.ts';
import { faultSeed, isProof } from './fault-settings.ts';
import { StepCounter } from './step-counter.ts';

const rounds = isProof ? 100 : 4;
const rowsPerBlock = 1_000;
const writers = 3;

describe(`the local ClickHouse, killed ${rounds} times during inserts and merges`, () => {
  it('keeps every acknowledged block and never part of a block', async () => {
    const random = new Random(faultSeed);
    const options = { port: await freePort(), dataDir: newDataDir() };
    const acknowledged = new Set<number>();
    const blocks = new StepCounter();
    for (let round = 1; round <= rounds; round++) {
      const server = await startClickHouse(options);
      const client = quietClient(server.url);
      await client.command({ query: createTable });
      await checkBlocks(client, acknowledged, round);

      const writing = Array.from({ length: writers }, () =>
        repeatUntilError(async () => {
          const block = blocks.count;
          const inserted = client.command({ query: insertBlock(block) });
          blocks.step();
          await inserted;
          acknowledged.add(block);
        }),
      );
      const merging = repeatUntilError(() =>
        client.command({ query: 'OPTIMIZE TABLE blocks FINAL' }),
      );
      // While the last of these blocks is inserted.
      await blocks.after(random.between(1, 60));
      await kill(server);
      await Promise.all([...writing, merging]);
      await client.close();
    }
    expect(acknowledged.size).to.be.greaterThan(rounds);
  });
});

const createTable = `CREATE TABLE IF NOT EXISTS blocks (block UInt32, n UInt32)
ENGINE = ReplacingMergeTree ORDER BY (block, n)`;

function insertBlock(block: number): string {
  return `INSERT INTO blocks SELECT ${block}, number FROM numbers(${rowsPerBlock})`;
}

async function checkBlocks(
  client: ClickHouseClient,
  acknowledged: ReadonlySet<number>,
  round: number,
): Promise<void> {
  const query = 'SELECT block, toUInt32(count()) AS rows FROM blocks FINAL GROUP BY block';
  const result = await client.query({ query, format: 'JSONEachRow' });
  const stored = await result.json<{ block: number; rows: number }>();
  const incomplete = stored.filter(({ rows }) => rows !== rowsPerBlock);
  expect(incomplete, `round ${round}`).to.deep.equal([]);
  const present = new Set(stored.map(({ block }) => block));
  const lost = [...acknowledged].filter((block) => !present.has(block));
  expect(lost, `round ${round}`).to.deep.equal([]);
}

async function repeatUntilError(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
    } catch {
      return;
    }
  }
}

async function kill(server: LocalClickHouse): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  await server.ended;
}
