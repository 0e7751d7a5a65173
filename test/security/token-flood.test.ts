import { expect } from 'chai';
import { newToken } from '../../services/registry/tokens/token.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { postResults } from '../support/ingest-tenant.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { addAgent, newTenant, newTenantToken } from '../support/tenant.ts';

const addresses = 200;
const perAddress = 8;
const failuresPerMinute = 5;

describe('a flood of invalid tokens', () => {
  let stores: IsolatedStores;
  let service: ServiceProcess;
  let token: string;

  before(async () => {
    stores = await isolatedStores();
    const { organisationId } = await newTenant(stores.database);
    token = await newTenantToken(stores.database, organisationId, 'data', {
      scopes: ['results:write'],
    });
    await addAgent(stores.database, organisationId, { agentId: 'box-7', unitId: 7 });
    service = await startServiceProcess('ingest', {
      ...stores.env,
      TRUST_PROXY: 'loopback',
      RATE_LIMIT_FAILURES_PER_MINUTE: String(failuresPerMinute),
    });
  });
  after(async () => {
    await service.kill('SIGKILL');
    await stores.close();
  });

  it('is limited per address, delays no valid token of another one, and is audited in few rows', async () => {
    const startedAt = new Date();
    const statuses: number[] = [];
    const flood = Array.from({ length: addresses }, async (_, i) => {
      for (let n = 0; n < perAddress; n++)
        statuses.push(await send(newToken('data'), addressOf(i)));
    });
    const valid: number[] = [];
    const useful = (async () => {
      for (let n = 0; n < 20; n++) valid.push(await send(token, '203.0.113.9'));
    })();
    await Promise.all([...flood, useful]);
    expect(new Set(valid)).to.deep.equal(new Set([200]));
    const refused = statuses.filter((status) => status === 403).length;
    expect(new Set(statuses)).to.deep.equal(new Set([403, 429]));
    // A window may end during a slow test.
    const minutes = 1 + Math.ceil((Date.now() - startedAt.getTime()) / 60_000);
    expect(refused).to.be.within(
      addresses * failuresPerMinute,
      minutes * addresses * failuresPerMinute,
    );
    // A token that was valid before is not limited by its address.
    expect(await send(token, addressOf(0))).to.equal(200);

    await service.kill('SIGTERM');
    const { rows } = await stores.database.raw<{ rows: { actor: string; requests: number }[] }>(
      `select actor, (details->>'requests')::int as requests from audit_events
       where action = 'request.refuse'`,
    );
    // At most 100 rows per minute, and one for all others: nothing is left out of the sum.
    expect(rows.length).to.be.within(101, 101 * minutes);
    expect(rows.map(({ actor }) => actor)).to.include('others');
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).to.equal(statuses.length);
  });

  async function send(sent: string, address: string): Promise<number> {
    const headers = { 'x-forwarded-for': address, 'content-type': 'application/x-ndjson' };
    return (await postResults(service.url, sent, '/results/httpget', '', headers)).status;
  }
});

function addressOf(i: number): string {
  return `198.51.100.${i % 256}`;
}
