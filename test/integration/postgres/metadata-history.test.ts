import { expect } from 'chai';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

describe('metadata history in Postgres', () => {
  let database: Database;
  let organisationId: number;
  let agentKey: number;
  let changeId: number;

  before(async () => {
    ({ database } = await localStack());
    ({ organisationId } = await newTenant(database));
    const [change] = await database('metadata_changes')
      .insert({ organisation_id: organisationId, request: '{}', agent_count: 1 })
      .returning<{ id: number }[]>('id');
    changeId = change!.id;
  });

  beforeEach(async () => {
    agentKey = await addAgent(database, organisationId, { agentId: `a-${Math.random()}` });
    await insert('[2026-01-01, 2026-02-01)');
  });

  it('rejects overlapping current periods of one agent', async () => {
    await expectError(insert('[2026-01-31 23:59:59, 2026-03-01)'), /no_overlapping_periods/);
    await insert('[2026-02-01, 2026-03-01)');
  });

  it('rejects an overlap by two concurrent writers', async () => {
    const first = await database.transaction();
    const second = await database.transaction();
    await insert('[2026-03-01, 2026-04-01)', {}, first);
    const rejected = expectError(
      insert('[2026-03-31, 2026-05-01)', {}, second),
      /no_overlapping_periods/,
    );
    await first.commit();
    await rejected;
    await second.rollback();
  });

  it('rejects a writer at another isolation level than read committed', async () => {
    const frozen = await database.transaction({ isolationLevel: 'repeatable read' });
    await expectError(insert('[2026-03-01, 2026-04-01)', {}, frozen), /read committed/);
    await frozen.rollback();
  });

  it('rejects an update of a period', async () => {
    await expectError(own().update({ timezone: 'Asia/Tokyo' }), /cannot be rewritten/);
    await expectError(own().update({ valid: '[2026-01-01, 2026-01-15)' }), /cannot be rewritten/);
  });

  it('rejects the deletion of a period', async () => {
    await expectError(own().delete(), /cannot be deleted/);
  });

  it('lets a period be superseded once, and then be replaced', async () => {
    const superseded = { superseded_at: new Date(), superseded_by: changeId };
    expect(await own().update(superseded)).to.equal(1);
    await expectError(own().update(superseded), /cannot be rewritten/);
    await insert('[2026-01-10, 2026-01-20)');
  });

  it('lets a period be shortened once, with the longer one on record', async () => {
    const shortened = { shortened_at: new Date(), shortened_by: changeId };
    const longer = '[2026-01-01, 2026-02-01)';
    const shorten = (valid: string, longer_valid: string) =>
      own().update({ ...shortened, valid, longer_valid });
    await expectError(shorten('[2026-01-01, 2026-01-20)', '[2026-01-01, 2026-01-31)'), /rewritten/);
    await expectError(shorten('[2026-01-01, 2026-03-01)', longer), /"shortened"/);
    await expectError(shorten('[2026-01-05, 2026-01-20)', longer), /"shortened"/);
    await expectError(shorten(longer, longer), /"shortened"/);
    await expectError(own().update({ ...shortened, longer_valid: longer }), /"shortened"/);
    expect(await shorten('[2026-01-01, 2026-01-20)', longer)).to.equal(1);
    await expectError(
      shorten('[2026-01-01, 2026-01-10)', '[2026-01-01, 2026-01-20)'),
      /cannot be rewritten/,
    );
    await expectError(insert('[2026-01-19, 2026-01-30)'), /no_overlapping_periods/);
    await insert('[2026-01-20, 2026-02-01)');
  });

  it("rejects another organisation's ISP", async () => {
    const other = await newTenant(database);
    const [isp] = await database('isps')
      .insert({ organisation_id: other.organisationId, name: 'Elsewhere' })
      .returning<{ id: number }[]>('id');
    await expectError(insert('[2026-05-01, 2026-06-01)', { isp_id: isp!.id }), /foreign key/);
  });

  it('prevents the deletion of referenced agents, ISPs, packages and changes', async () => {
    const [isp] = await database('isps')
      .insert({ organisation_id: organisationId, name: `Named ${agentKey}` })
      .returning<{ id: number }[]>('id');
    const [plan] = await database('packages')
      .insert({ isp_id: isp!.id, name: 'Plan' })
      .returning<{ id: number }[]>('id');
    await insert('[2026-05-01, 2026-06-01)', { isp_id: isp!.id, package_id: plan!.id });
    await expectError(database('agents').where({ id: agentKey }).delete(), /foreign key/);
    await expectError(database('packages').where({ id: plan!.id }).delete(), /foreign key/);
    await expectError(database('isps').where({ id: isp!.id }).delete(), /foreign key/);
    await expectError(
      database('metadata_changes').where({ id: changeId }).delete(),
      /cannot be deleted/,
    );
  });

  it('rejects an unknown agent or change, and a package of another ISP', async () => {
    const unknown = 2_000_000_000;
    await expectError(insert('[2026-05-01,)', { agent_key: unknown }), /foreign key/);
    await expectError(insert('[2026-05-01,)', { recorded_by: unknown }), /foreign key/);
    const [isp, other] = await database('isps')
      .insert(
        ['a', 'b'].map((name) => ({
          organisation_id: organisationId,
          name: `${name} ${agentKey}`,
        })),
      )
      .returning<{ id: number }[]>('id');
    const [plan] = await database('packages')
      .insert({ isp_id: isp!.id, name: 'Plan' })
      .returning<{ id: number }[]>('id');
    await expectError(
      insert('[2026-05-01,)', { isp_id: other!.id, package_id: plan!.id }),
      /foreign key/,
    );
  });

  function insert(
    valid: string,
    values: Record<string, unknown> = {},
    writer: Database = database,
  ) {
    return writer('agent_metadata').insert({
      agent_key: agentKey,
      organisation_id: organisationId,
      valid,
      recorded_at: new Date(),
      recorded_by: changeId,
      ...values,
    });
  }

  function own() {
    return database('agent_metadata').where({ agent_key: agentKey });
  }
});

async function expectError(work: PromiseLike<unknown>, reason: RegExp): Promise<void> {
  const message = await work.then(
    () => 'no error',
    (error: unknown) => (error as Error).message,
  );
  expect(message).to.match(reason);
}
