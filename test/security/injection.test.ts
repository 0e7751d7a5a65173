import { expect } from 'chai';
import { contractViolation } from './contract-violation.ts';
import { operations } from './contract.ts';
import { injectionCorpus } from './injection-corpus.ts';
import { authorization, type RawResponse, send } from './send.ts';
import { createFixture, type Fixture, tokenOf, urlOf } from './security-fixture.ts';
import { stringFields } from './string-fields.ts';
import { printStatusCounts } from './print-status-counts.ts';

/** Texts of the corpus per field; all of them with `INJECTION_RUNS=all`. */
const perField =
  process.env.INJECTION_RUNS === 'all'
    ? injectionCorpus.length
    : Number(process.env.INJECTION_RUNS ?? 2);

describe('a request value that contains SQL', function () {
  this.timeout(300_000 + perField * 60_000);
  let fixture: Fixture;
  const fields = operations.flatMap((operation) => stringFields(operation, () => fixture));

  before(async () => {
    fixture = await createFixture();
    await setCanaries(fixture);
  });
  after(() => removeCanaries(fixture));

  it('is tested in at least 70 fields', () => {
    const places = fields.filter(({ name }) => !name.startsWith('header'));
    expect(places.length).to.be.at.least(70);
  });

  it(`is treated as plain text in each of ${fields.length} fields`, async () => {
    const sizesBefore = await tableSizes(fixture);
    const statuses = new Map<number, number>();
    const problems: string[] = [];
    for (const [i, { operation, name, request }] of fields.entries()) {
      for (let run = 0; run < perField; run++) {
        // Each field starts at another text, so that even a short run sends every text.
        const text = injectionCorpus[(i * perField + run) % injectionCorpus.length]!;
        const { headers, ...sent } = request(text);
        const { service } = operation;
        const token = authorization(service, tokenOf(fixture.owner, service));
        const sendText = () =>
          send(urlOf(fixture.stack, service), {
            ...sent,
            headers: { authorization: token, ...headers },
          });
        const { response, isAsleep } = await detectSleep(sendText, text);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const problem = isAsleep ? 'runs sleep()' : await contractViolation(operation, response);
        if (problem === undefined) continue;
        problems.push(`${operation.id}, ${name}, ${JSON.stringify(text)}: ${problem}`);
      }
    }
    printStatusCounts(`${fields.length * perField} requests`, statuses);
    expect(problems.slice(0, 20).join('\n')).to.equal('');
    expect(await tableSizes(fixture)).to.deep.equal(sizesBefore);
  });
});

/**
 * Some texts run sleep(3) if executed. Five slow attempts in a row are not a busy machine; nor can a text
 * without a sleep be slow for this reason.
 */
async function detectSleep(sendText: () => Promise<RawResponse>, text: string) {
  for (let attempt = 1; ; attempt++) {
    const startedMs = performance.now();
    const response = await sendText();
    const isSlow = /sleep/i.test(text) && performance.now() - startedMs >= 2_900;
    if (!isSlow || attempt === maxSlowAttempts) return { response, isAsleep: isSlow };
  }
}

const maxSlowAttempts = 5;

/** Tables that some texts drop or truncate if executed. */
async function setCanaries({ stack: { clickhouse, database } }: Fixture): Promise<void> {
  await clickhouse.command({
    query: 'CREATE TABLE IF NOT EXISTS security_canary (a UInt8) ENGINE = MergeTree ORDER BY a',
  });
  await clickhouse.insert({ table: 'security_canary', values: [{ a: 1 }], format: 'JSONEachRow' });
  await database.raw('create table if not exists security_canary (a int)');
  await database('security_canary').insert({ a: 1 });
}

async function removeCanaries({ stack: { clickhouse, database } }: Fixture): Promise<void> {
  await clickhouse.command({ query: 'DROP TABLE security_canary' });
  await database.schema.dropTable('security_canary');
}

/** Row counts by table. No request of this test may change them. */
async function tableSizes({ stack: { clickhouse, database }, owner }: Fixture): Promise<object> {
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
