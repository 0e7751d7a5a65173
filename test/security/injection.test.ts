import { expect } from 'chai';
import { wrongWith } from './checked-answer.ts';
import { operations } from './contract.ts';
import { injectionCorpus } from './injection-corpus.ts';
import { authorization, type Received, send } from './send.ts';
import { setStage, type Stage, tokenOf, urlOf } from './stage.ts';
import { stringFields } from './string-fields.ts';
import { tell } from './tell.ts';

/** Texts of the corpus for each field; all of them with `INJECTION_RUNS=all`. */
const perField =
  process.env.INJECTION_RUNS === 'all'
    ? injectionCorpus.length
    : Number(process.env.INJECTION_RUNS ?? 2);

describe('a text that is SQL to a database', function () {
  this.timeout(300_000 + perField * 60_000);
  let stage: Stage;
  const fields = operations.flatMap((operation) => stringFields(operation, () => stage));

  before(async () => {
    stage = await setStage();
    await setCanaries(stage);
  });
  after(() => removeCanaries(stage));

  it('has a place in every operation but those that take none', () => {
    const places = fields.filter(({ name }) => !name.startsWith('header'));
    expect(places.length).to.be.at.least(70);
  });

  it(`is nothing but a text in each of ${fields.length} places`, async () => {
    const before_ = await tableSizes(stage);
    const statuses = new Map<number, number>();
    const problems: string[] = [];
    for (const [i, { operation, name, request }] of fields.entries()) {
      for (let run = 0; run < perField; run++) {
        // Each field begins elsewhere, so that even a short run sends every text.
        const text = injectionCorpus[(i * perField + run) % injectionCorpus.length]!;
        const { headers, ...sent } = request(text);
        const { service } = operation;
        const token = authorization(service, tokenOf(stage.owner, service));
        const ask = () =>
          send(urlOf(stage.stack, service), {
            ...sent,
            headers: { authorization: token, ...headers },
          });
        const { answer, isAsleep } = await watchedForSleep(ask);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const problem = isAsleep ? 'sleeps' : await wrongWith(operation, answer);
        if (problem === undefined) continue;
        problems.push(`${operation.id}, ${name}, ${JSON.stringify(text)}: ${problem}`);
      }
    }
    tell(`${fields.length * perField} requests`, statuses);
    expect(problems.slice(0, 20).join('\n')).to.equal('');
    expect(await tableSizes(stage)).to.deep.equal(before_);
  });
});

/** Texts of the corpus would have a database sleep for 3 s: a busy machine is not that slow each time. */
async function watchedForSleep(ask: () => Promise<Received>) {
  for (let attempt = 1; ; attempt++) {
    const startedMs = performance.now();
    const answer = await ask();
    const isSlow = performance.now() - startedMs >= 2_900;
    if (!isSlow || attempt === 3) return { answer, isAsleep: isSlow };
  }
}

/** Tables that texts of the corpus would drop or empty. */
async function setCanaries({ stack: { clickhouse, database } }: Stage): Promise<void> {
  await clickhouse.command({
    query: 'CREATE TABLE IF NOT EXISTS security_canary (a UInt8) ENGINE = MergeTree ORDER BY a',
  });
  await clickhouse.insert({ table: 'security_canary', values: [{ a: 1 }], format: 'JSONEachRow' });
  await database.raw('create table if not exists security_canary (a int)');
  await database('security_canary').insert({ a: 1 });
}

async function removeCanaries({ stack: { clickhouse, database } }: Stage): Promise<void> {
  await clickhouse.command({ query: 'DROP TABLE security_canary' });
  await database.schema.dropTable('security_canary');
}

/** Rows of what no request of this test may change, by table. */
async function tableSizes({ stack: { clickhouse, database }, owner }: Stage): Promise<object> {
  const sizes: Record<string, number> = {};
  for (const table of [
    'organisations',
    'api_tokens',
    'agents',
    'isps',
    'packages',
    'security_canary',
  ]) {
    const [row] = await database(table).count<{ count: number }[]>('* as count');
    sizes[`postgres ${table}`] = Number(row?.count);
  }
  for (const table of ['security_canary', 'test_httpget', 'test_ping']) {
    const mine =
      table === 'security_canary' ? '' : ` WHERE organisation_id = ${owner.organisationId}`;
    const result = await clickhouse.query({
      query: `SELECT toUInt32(count()) AS count FROM ${table}${mine}`,
      format: 'JSONEachRow',
    });
    sizes[`clickhouse ${table}`] = (await result.json<{ count: number }>())[0]!.count;
  }
  return sizes;
}
