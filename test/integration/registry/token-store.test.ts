import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { TokenStore } from '../../../services/registry/tokens/token-store.ts';
import { setFloor } from '../../../services/registry/organisations/organisations.ts';
import { newToken } from '../../../services/registry/tokens/token.ts';
import type { ApiInterface } from '../../../services/shared/auth/caller.ts';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import { localStack } from '../../support/local-stack.ts';
import { newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';

const cacheMs = 3_600_000;

describe('the token store', () => {
  let database: Database;
  let tenant: Tenant;
  let lookups = 0;

  before(async () => {
    const stack = await localStack();
    tenant = await newTenant(stack.database);
    // Connections of its own, so that only the lookups of this test are counted.
    database = connectPostgres(stack.databaseUrl, 4, 'token-store-test');
    database.on('query', ({ sql }: { sql: string }) => {
      if (sql.startsWith('select') && sql.includes('api_tokens')) lookups++;
    });
  });
  beforeEach(() => (lookups = 0));
  after(() => database.destroy());

  it('keeps a valid token while 10,001 invalid ones are sent', async () => {
    const store = new TokenStore(database, 'data', cacheMs);
    expect(await store.callerOf(tenant.dataToken)).to.include({ organisationName: tenant.name });
    const invalid = Array.from({ length: 10_001 }, (_, i) => invalidToken(i));
    for (const token of invalid) expect(store.isKnown(token)).to.equal(false);
    const callers = await Promise.all(invalid.map((token) => store.callerOf(token)));
    expect(callers.every((caller) => caller === undefined)).to.equal(true);
    lookups = 0;
    expect(store.isKnown(tenant.dataToken)).to.equal(true);
    expect(await store.callerOf(tenant.dataToken)).to.include({ organisationName: tenant.name });
    expect(lookups).to.equal(0);
  });

  it('gives the caller the larger privacy floor of the token and its organisation', async () => {
    const { organisationId, name, dataToken } = await newTenant(database);
    const tokens = [dataToken];
    for (const min_agents of [2, 20]) {
      tokens.push(await newTenantToken(database, organisationId, 'data', { min_agents }));
    }
    const floors = () => {
      const store = new TokenStore(database, 'data', cacheMs);
      return Promise.all(tokens.map(async (token) => (await store.callerOf(token))?.minAgents));
    };
    expect(await floors()).to.deep.equal([0, 2, 20]);
    await setFloor(database, name, 10);
    expect(await floors()).to.deep.equal([10, 10, 20]);
    await setFloor(database, name, null);
    expect(await floors()).to.deep.equal([0, 2, 20]);
  });

  it('finds no floor below 2 and none of a metadata token: the database refuses them', async () => {
    const { organisationId } = tenant;
    const insert = (forInterface: ApiInterface, min_agents: number) =>
      newTenantToken(database, organisationId, forInterface, { min_agents }).then(
        () => 'stored',
        (error: unknown) => (error as { constraint: string }).constraint,
      );
    expect(await insert('data', 1)).to.equal('floor_of_token');
    expect(await insert('metadata', 5)).to.equal('floor_of_data_token');
    const refused = await setFloor(database, tenant.name, 1).catch((error: unknown) => error);
    expect(refused).to.include({ constraint: 'floor_of_organisation' });
  });

  it('looks up 400 invalid tokens at once with few queries, and each of them once', async () => {
    const store = new TokenStore(database, 'data', cacheMs);
    const invalid = Array.from({ length: 400 }, (_, i) => invalidToken(i));
    for (let round = 0; round < 2; round++) {
      await Promise.all(invalid.map((token) => store.callerOf(token)));
    }
    expect(lookups).to.be.within(1, 4);
  });

  it('looks up a token once for many requests at the same time, also when the cache has expired', async () => {
    const store = new TokenStore(database, 'data', 0);
    for (const expected of [1, 2]) {
      const requests = Array.from({ length: 50 }, () => store.callerOf(tenant.dataToken));
      for (const caller of await Promise.all(requests)) {
        expect(caller).to.include({ organisationId: tenant.organisationId });
      }
      expect(lookups).to.equal(expected);
      await sleep(10);
    }
  });

  it('refuses a text that does not have the format of a token without a lookup', async () => {
    const store = new TokenStore(database, 'data', cacheMs);
    const wrong = [
      'npd_short',
      `${tenant.dataToken}x`,
      tenant.dataToken.replace('npd_', 'npx_'),
      tenant.metadataToken,
      `npd_${'a'.repeat(39)}'`,
      'x'.repeat(10_000),
    ];
    for (const token of wrong) expect(await store.callerOf(token), token).to.equal(undefined);
    expect(lookups).to.equal(0);
    expect(await store.callerOf(newToken('data'))).to.equal(undefined);
    expect(lookups).to.equal(1);
  });
});

/** Has the format of a token. */
function invalidToken(i: number): string {
  return `npd_${String(i).padStart(40, 'x')}`;
}
