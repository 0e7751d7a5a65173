import { expect } from 'chai';
import {
  type AuditFilter,
  listAuditEvents,
} from '../../../services/registry/audit/audit-events.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';

interface Event {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly details: { readonly before?: object; readonly after?: object };
}

describe('the audit of changes', () => {
  let stack: LocalStack;
  let tenant: Tenant;

  beforeEach(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
  });

  it('has every change of the registry, whichever program made it', async () => {
    const { database } = stack;
    const { organisationId, name } = tenant;
    await addPackages(database, organisationId, { Northwave: ['Fibre 500'] });
    await netpanelOk(stack, 'isp', 'add', '--org', name, 'Breeze');
    await database('grants').insert({ organisation_id: organisationId, kind: 'test', key: 'dns' });
    await database('grants').where({ organisation_id: organisationId }).delete();
    const token = await database('api_tokens')
      .where({ organisation_id: organisationId, interface: 'data' })
      .first<{ id: number }>('id');
    await database('api_tokens').where({ id: token.id }).update({ revoked_at: new Date() });
    await addAgent(database, organisationId, { agentId: 'household-1' });

    const found = await events();
    expect(found.map(({ action, target }) => `${action} ${target}`)).to.include.members([
      `organisation.create organisation ${name}`,
      `token.create token ${token.id}`,
      'isp.create isp Northwave',
      'package.create package Fibre 500',
      'isp.create isp Breeze',
      'grant.create grant dns',
      'grant.delete grant dns',
      `token.change token ${token.id}`,
      'agents.create agents',
    ]);
    expect(found.find(({ target }) => target === 'isp Breeze')?.actor).to.match(
      /^netpanel-cli \(.+\) as \w+$/,
    );
    expect(found.find(({ action }) => action === 'token.change')?.details.after).to.have.property(
      'revoked_at',
    );
    expect(found.at(-1)?.details).to.deep.equal({ agents: 1 });
    expect(JSON.stringify(found)).not.to.match(/household-1|sha256/);
  });

  it('has neither a change that was rolled back nor the use of a token', async () => {
    const { database } = stack;
    const before = (await events()).length;
    await database
      .transaction(async (transaction) => {
        await addPackages(transaction, tenant.organisationId, { Northwave: [] });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await database('api_tokens')
      .where({ organisation_id: tenant.organisationId })
      .update({ last_used_at: new Date() });
    expect(await events()).to.have.length(before);
  });

  it('cannot be changed, deleted or truncated', async () => {
    const { database } = stack;
    const own = () => database('audit_events').where({ organisation_id: tenant.organisationId });
    const before = await events();
    await expectError(own().update({ actor: 'nobody' }), /cannot be changed or deleted/);
    await expectError(own().delete(), /cannot be changed or deleted/);
    await expectError(database('audit_events').truncate(), /cannot be changed or deleted/);
    const deletion = "select delete_audit_events_before(now() - interval '29 days', 1000)";
    await expectError(database.raw(deletion), /kept for at least 30 days/);
    expect(await events()).to.deep.equal(before);
  });

  it('is listed by netpanel audit, by organisation, time and action, with changes of metadata', async () => {
    const { database } = stack;
    const { organisationId, name } = tenant;
    await addPackages(database, organisationId, { Northwave: [] });
    await database('metadata_changes').insert({
      organisation_id: organisationId,
      request: '{}',
      agent_count: 7,
    });
    const listed = JSON.parse(await netpanelOk(stack, 'audit', '--json', '--org', name)) as {
      action: string;
      organisation: string;
      details: string;
    }[];
    expect(listed.map(({ action }) => action)).to.have.members([
      'organisation.create',
      'token.create',
      'token.create',
      'isp.create',
      'metadata.change',
    ]);
    expect(new Set(listed.map(({ organisation }) => organisation))).to.deep.equal(new Set([name]));
    const change = listed.find(({ action }) => action === 'metadata.change');
    expect(change?.details).to.equal('{"agents":7}');
    const count = async (filter: Partial<AuditFilter>) => {
      const all = { organisationId, since: new Date(0), limit: 1_000 };
      return (await listAuditEvents(database, { ...all, ...filter })).length;
    };
    expect(await count({})).to.equal(5);
    expect(await count({ action: 'token' })).to.equal(2);
    expect(await count({ action: 'isp.create' })).to.equal(1);
    expect(await count({ action: 'is' })).to.equal(0);
    expect(await count({ limit: 1 })).to.equal(1);
    expect(await count({ since: new Date('2100-01-01') })).to.equal(0);
    const wrong = await netpanel(stack, 'audit', '--since', 'yesterday');
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('--since must be a date such as');
  });

  async function events(): Promise<Event[]> {
    return stack
      .database('audit_events')
      .where({ organisation_id: tenant.organisationId })
      .orderBy('id')
      .select<Event[]>('actor', 'action', 'target', 'details');
  }

  async function expectError(work: PromiseLike<unknown>, message: RegExp): Promise<void> {
    const error = await Promise.resolve(work).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.match(message);
  }
});
