import { expect } from 'chai';
import { newToken } from '../../services/registry/tokens/token.ts';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { scopes } from '../../services/shared/auth/scopes.ts';
import { newTenant, newTenantToken, type Tenant } from '../support/tenant.ts';
import { contractViolation } from './contract-violation.ts';
import { type Operation, operations } from './contract.ts';
import { sampleRequest, sentTest } from './sample-request.ts';
import { authorization, send } from './send.ts';
import {
  ownAgent,
  ownCustom,
  createFixture,
  type Fixture,
  interfaceOf,
  tokenOf,
  urlOf,
} from './security-fixture.ts';
import { otherTenantResponses } from './other-tenant-responses.ts';

/** Routes without a token; signed-links.test.ts tests them. */
const publicOperations = [
  'getCsv',
  'getObject',
  'getInternalServerError',
  'getDocument',
  'getDocument',
];

/** Invalid credentials, by description. */
const badCredentials: Readonly<Record<string, (fixture: Fixture, operation: Operation) => Header>> =
  {
    'no token': () => undefined,
    'an empty header': () => '',
    'the wrong authorization scheme': ({ owner }, { service }) =>
      // The metadata interface requires a scheme, the others take the bare token too.
      service === 'metadata' ? owner.metadataToken : `Token ${owner.dataToken}`,
    'a scheme without a token': () => 'Bearer',
    'two tokens in one header': ({ owner }, { service }) =>
      `Bearer ${tokenOf(owner, service)} ${tokenOf(owner, service)}`,
    'an unknown token': (_, { service }) => authorization(service, newToken(interfaceOf(service))),
    'an expired token': ({ owner, stack }, { service }) =>
      invalidatedToken(stack.database, owner, service, 'expires_at'),
    'a revoked token': ({ owner, stack }, { service }) =>
      invalidatedToken(stack.database, owner, service, 'revoked_at'),
    "the other interface's token": ({ owner }, { service }) =>
      authorization(service, tokenOf(owner, service === 'metadata' ? 'query' : 'metadata')),
  };

type Header = string | undefined | Promise<string>;

async function invalidatedToken(
  database: Fixture['stack']['database'],
  { organisationId }: Tenant,
  service: Operation['service'],
  end: 'expires_at' | 'revoked_at',
): Promise<string> {
  const times = { [end]: new Date(Date.now() - 1_000) };
  const token = await newTenantToken(database, organisationId, interfaceOf(service), times);
  return authorization(service, token);
}

const denied = { code: 'ACCESS_DENIED', message: 'Access Denied' };
const protectedOperations = operations.filter(({ needsToken }) => needsToken);

describe('every operation of the contracts', () => {
  let fixture: Fixture;
  let otherTenant: Tenant;
  let sentResults = 0;

  before(async () => {
    fixture = await createFixture();
    otherTenant = await newTenant(fixture.stack.database);
  });

  it('needs a token, except for a short list', () => {
    const open = operations.filter(({ needsToken }) => !needsToken).map(({ id }) => id);
    expect(open).to.deep.equal(publicOperations);
  });

  it('has a scope of its interface exactly if it needs a token', () => {
    for (const { id, service, needsToken, scope } of operations) {
      const allowed: readonly string[] = scopes[interfaceOf(service)];
      if (needsToken) expect(allowed, id).to.include(scope);
      else expect(scope, id).to.equal(undefined);
    }
  });

  it('rejects a token without its scope, and names the scope', async () => {
    for (const operation of protectedOperations) {
      const { service, scope, id } = operation;
      const others = scopes[interfaceOf(service)].filter((other) => other !== scope);
      const response = await sendSample(operation, await headerWith(service, others));
      expect(response.status, id).to.equal(403);
      expect(JSON.parse(response.text), id).to.deep.equal({
        code: 'INSUFFICIENT_SCOPE',
        message: `This token does not have the scope ${scope}.`,
      });
      expect(await contractViolation(operation, response), id).to.equal(undefined);
    }
    await expectUnchanged();
  });

  it('accepts a token that has only its scope', async () => {
    // Other operations than these would change what the next tests use.
    const harmless = protectedOperations.filter(
      ({ method, service }) => method === 'GET' || service === 'ingest',
    );
    for (const operation of harmless) {
      const { service, scope, id } = operation;
      const { status, text } = await sendSample(operation, await headerWith(service, [scope!]));
      expect(status, `${id}: ${text}`).to.equal(200);
      if (service === 'ingest') sentResults++;
    }
    expect(sentResults).to.equal(2);
    await expectUnchanged();
  });

  for (const [what, headerOf] of Object.entries(badCredentials)) {
    it(`rejects ${what}`, async () => {
      for (const operation of protectedOperations) {
        const header = await headerOf(fixture, operation);
        const response = await sendSample(operation, header);
        expect(response.status, operation.id).to.equal(403);
        expect(JSON.parse(response.text), operation.id).to.deep.equal(denied);
        expect(await contractViolation(operation, response)).to.equal(undefined);
      }
      await expectUnchanged();
    });
  }

  it('responds with 403 to an unknown method without a token', async () => {
    for (const path of new Set(protectedOperations.map((operation) => operation.path))) {
      const own = operations.filter((operation) => operation.path === path);
      const { service } = own[0]!;
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        if (own.some((operation) => operation.method === method)) continue;
        const { status } = await send(urlOf(fixture.stack, service), { method, path });
        expect(status, `${method} ${path}`).to.equal(403);
      }
    }
  });

  it("neither shows nor changes an organisation's data with another organisation's token", async () => {
    for (const operation of protectedOperations) {
      const { id, service } = operation;
      const response = await sendSample(
        operation,
        authorization(service, tokenOf(otherTenant, service)),
      );
      const expected = otherTenantResponses[id];
      if (expected === undefined) throw new Error(`Add ${id} to other-tenant-responses.ts`);
      expect(response.status, id).to.equal(expected.status);
      expect(await contractViolation(operation, response), id).to.equal(undefined);
      expected.check?.(JSON.parse(response.text) as { data?: unknown });
      for (const secret of [
        fixture.owner.name,
        ownAgent.agentId,
        '"4711"',
        ...Object.keys(ownCustom),
      ]) {
        // The response may repeat the requested filter or agent.
        if (id === 'getFilterValues' && secret === 'cohort') continue;
        if (id === 'postLmapReport' && secret === ownAgent.agentId) continue;
        expect(response.text, `${id} leaks ${secret}`).not.to.include(secret);
      }
    }
    await expectUnchanged();
  });

  it('shows no agent to a token with a privacy floor', async () => {
    const { stack, owner } = fixture;
    const columns = { min_agents: 2 };
    const token = await newTenantToken(stack.database, owner.organisationId, 'data', columns);
    for (const operation of protectedOperations.filter(({ service }) => service === 'query')) {
      const { id, path } = operation;
      const response = await sendSample(operation, authorization('query', token));
      expect(await contractViolation(operation, response), id).to.equal(undefined);
      for (const secret of [ownAgent.agentId, '"4711"']) {
        expect(response.text, `${id} shows ${secret}`).not.to.include(secret);
      }
      const { code } = JSON.parse(response.text) as { code: string };
      // The export and the view of the fixture were made without a floor.
      if (/^\/(test_data|exports\/|views\/)/.test(path)) expect(code, id).to.equal('PRIVACY_FLOOR');
      else expect(code, id).to.be.oneOf(['OK', 'PRIVACY_FLOOR']);
    }
    await expectUnchanged();
  });

  it("succeeds with the owner's token", async () => {
    for (const operation of [...protectedOperations].sort(deletionLast)) {
      const { id, service } = operation;
      const response = await sendSample(
        operation,
        authorization(service, tokenOf(fixture.owner, service)),
      );
      expect(response.status, `${id}: ${response.text}`).to.equal(200);
      expect(await contractViolation(operation, response), id).to.equal(undefined);
    }
  });

  async function headerWith(service: Operation['service'], granted: readonly string[]) {
    const { owner, stack } = fixture;
    const columns = { scopes: granted };
    const forInterface = interfaceOf(service);
    const token = await newTenantToken(stack.database, owner.organisationId, forInterface, columns);
    return authorization(service, token);
  }

  function sendSample(operation: Operation, header: string | undefined) {
    const { headers, ...request } = sampleRequest(operation, fixture);
    return send(urlOf(fixture.stack, operation.service), {
      ...request,
      headers: { ...headers, ...(header === undefined ? {} : { authorization: header }) },
    });
  }

  /** The agent's metadata and the export still exist unchanged. */
  async function expectUnchanged(): Promise<void> {
    const { database } = fixture.stack;
    const row = await database('agent_metadata')
      .where({ agent_key: fixture.agentKey, superseded_at: null })
      .first<{ custom: object }>('custom');
    expect(row.custom).to.deep.equal(ownCustom);
    const kept = await database('exports')
      .where({ id: fixture.exportId })
      .first<{ status: string }>();
    expect(kept.status).to.equal('done');
    expect(await database('saved_views').where({ id: fixture.viewId }).pluck('id')).to.have.length(
      1,
    );
    const rows = await queryRows(
      fixture.stack.clickhouse,
      `SELECT target FROM test_${sentTest} FINAL WHERE organisation_id IN {ids:Array(UInt32)}`,
      { query_params: { ids: [fixture.owner.organisationId, otherTenant.organisationId] } },
    );
    expect(rows).to.have.length(sentResults);
  }
});

function deletionLast(a: Operation, b: Operation): number {
  return Number(a.method === 'DELETE') - Number(b.method === 'DELETE');
}
