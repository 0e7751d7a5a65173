import { expect } from 'chai';
import { newToken } from '../../services/registry/token.ts';
import { newTenant, newTenantToken, type Tenant } from '../support/tenant.ts';
import { wrongWith } from './checked-answer.ts';
import { type Operation, operations } from './contract.ts';
import { sampleRequest } from './sample-request.ts';
import { authorization, send } from './send.ts';
import { ownAgent, ownCustom, setStage, type Stage, tokenOf, urlOf } from './stage.ts';
import { strangersAnswer } from './strangers-answer.ts';

/** Routes for everybody; each has a rule of its own in signed-links.test.ts. Everything else needs a token. */
const publicOperations = ['getCsv', 'getObject', 'getDocument'];

/** Credentials that open nothing, by what is wrong with them. */
const badCredentials: Readonly<Record<string, (stage: Stage, operation: Operation) => Header>> = {
  'no token': () => undefined,
  'an empty header': () => '',
  'a header of another form': ({ owner }, { service }) =>
    // The data interface takes the bare token; the metadata interface wants the scheme before it.
    service === 'query' ? `Token ${owner.dataToken}` : owner.metadataToken,
  'a scheme without a token': () => 'Bearer',
  'two tokens in one header': ({ owner }, { service }) =>
    `Bearer ${tokenOf(owner, service)} ${tokenOf(owner, service)}`,
  'an unknown token': (_, { service }) =>
    authorization(service, newToken(service === 'query' ? 'data' : 'metadata')),
  'an expired token': ({ owner, stack }, { service }) =>
    spentToken(stack.database, owner, service, 'expires_at'),
  'a revoked token': ({ owner, stack }, { service }) =>
    spentToken(stack.database, owner, service, 'revoked_at'),
  "the other interface's token": ({ owner }, { service }) =>
    authorization(service, tokenOf(owner, service === 'query' ? 'metadata' : 'query')),
};

type Header = string | undefined | Promise<string>;

async function spentToken(
  database: Stage['stack']['database'],
  { organisationId }: Tenant,
  service: Operation['service'],
  end: 'expires_at' | 'revoked_at',
): Promise<string> {
  const forInterface = service === 'query' ? 'data' : 'metadata';
  const times = { [end]: new Date(Date.now() - 1_000) };
  const token = await newTenantToken(database, organisationId, forInterface, times);
  return authorization(service, token);
}

const denied = { code: 'ACCESS_DENIED', message: 'Access Denied' };
const closed = operations.filter(({ needsToken }) => needsToken);

describe('every operation of both contracts', function () {
  this.timeout(300_000);
  let stage: Stage;
  let stranger: Tenant;

  before(async () => {
    stage = await setStage();
    stranger = await newTenant(stage.stack.database);
  });

  it('needs a token, but for a short list', () => {
    const open = operations.filter(({ needsToken }) => !needsToken).map(({ id }) => id);
    expect(open).to.deep.equal(publicOperations);
  });

  for (const [what, headerOf] of Object.entries(badCredentials)) {
    it(`refuses ${what}`, async () => {
      for (const operation of closed) {
        const header = await headerOf(stage, operation);
        const answer = await ask(operation, header);
        expect(answer.status, operation.id).to.equal(403);
        expect(JSON.parse(answer.text), operation.id).to.deep.equal(denied);
        expect(await wrongWith(operation, answer)).to.equal(undefined);
      }
      await expectUntouched();
    });
  }

  it('refuses a method that its path does not have, without a token, like any other', async () => {
    for (const path of new Set(closed.map((operation) => operation.path))) {
      const own = operations.filter((operation) => operation.path === path);
      const { service } = own[0]!;
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        if (own.some((operation) => operation.method === method)) continue;
        const { status } = await send(urlOf(stage.stack, service), { method, path });
        expect(status, `${method} ${path}`).to.equal(403);
      }
    }
  });

  it("shows a stranger's token nothing of the organisation's, and lets it change nothing", async () => {
    for (const operation of closed) {
      const { id, service } = operation;
      const answer = await ask(operation, authorization(service, tokenOf(stranger, service)));
      const expected = strangersAnswer[id];
      if (expected === undefined) throw new Error(`${id} is new: tell what a stranger is answered`);
      expect(answer.status, id).to.equal(expected.status);
      expect(await wrongWith(operation, answer), id).to.equal(undefined);
      expected.check?.(JSON.parse(answer.text) as { data?: unknown });
      for (const secret of [
        stage.owner.name,
        ownAgent.agentId,
        '"4711"',
        ...Object.keys(ownCustom),
      ]) {
        // What the stranger has asked for itself may be in the answer.
        if (id === 'getFilterValues' && secret === 'cohort') continue;
        expect(answer.text, `${id} tells of ${secret}`).not.to.include(secret);
      }
    }
    await expectUntouched();
  });

  it('answers its owner, who was asked for the same', async () => {
    for (const operation of [...closed].sort(deletionLast)) {
      const { id, service } = operation;
      const answer = await ask(operation, authorization(service, tokenOf(stage.owner, service)));
      expect(answer.status, `${id}: ${answer.text}`).to.equal(
        id === 'getInternalServerError' ? 500 : 200,
      );
      expect(await wrongWith(operation, answer), id).to.equal(undefined);
    }
  });

  function ask(operation: Operation, header: string | undefined) {
    const { headers, ...request } = sampleRequest(operation, stage);
    return send(urlOf(stage.stack, operation.service), {
      ...request,
      headers: { ...headers, ...(header === undefined ? {} : { authorization: header }) },
    });
  }

  /** The agent's metadata is as it was, and the export is there. */
  async function expectUntouched(): Promise<void> {
    const { database } = stage.stack;
    const row = await database('agent_metadata')
      .where({ agent_key: stage.agentKey, superseded_at: null })
      .first<{ custom: object }>('custom');
    expect(row.custom).to.deep.equal(ownCustom);
    const kept = await database('exports')
      .where({ id: stage.exportId })
      .first<{ status: string }>();
    expect(kept.status).to.equal('done');
  }
});

function deletionLast(a: Operation, b: Operation): number {
  return Number(a.method === 'DELETE') - Number(b.method === 'DELETE');
}
