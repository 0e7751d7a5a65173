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

  it('refuses two current stretches of one agent that overlap', async () => {
    await expectRefusal(insert('[2026-01-31 23:59:59, 2026-03-01)'), /no_two_current_stretches/);
    await insert('[2026-02-01, 2026-03-01)');
  });

  it('refuses to rewrite what a stretch says', async () => {
    await expectRefusal(own().update({ timezone: 'Asia/Tokyo' }), /never rewritten/);
    await expectRefusal(own().update({ valid: '[2026-01-01, 2026-01-15)' }), /never rewritten/);
  });

  it('refuses to forget a stretch', async () => {
    await expectRefusal(own().delete(), /never deleted/);
  });

  it('lets a stretch be superseded once, and then another take its place', async () => {
    const superseded = { superseded_at: new Date(), superseded_by: changeId };
    expect(await own().update(superseded)).to.equal(1);
    await expectRefusal(own().update(superseded), /never rewritten/);
    await insert('[2026-01-10, 2026-01-20)');
  });

  it("refuses another organisation's ISP", async () => {
    const stranger = await newTenant(database);
    const [isp] = await database('isps')
      .insert({ organisation_id: stranger.organisationId, name: 'Elsewhere' })
      .returning<{ id: number }[]>('id');
    await expectRefusal(insert('[2026-05-01, 2026-06-01)', { isp_id: isp!.id }), /foreign key/);
  });

  function insert(valid: string, values: Record<string, unknown> = {}) {
    return database('agent_metadata').insert({
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

async function expectRefusal(work: PromiseLike<unknown>, reason: RegExp): Promise<void> {
  const refusal = await work.then(
    () => 'it was accepted',
    (error: unknown) => (error as Error).message,
  );
  expect(refusal).to.match(reason);
}
