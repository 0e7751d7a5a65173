import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RetentionConfig } from '../../../services/metadata/retention/retention-settings.ts';
import { runRetention } from '../../../services/metadata/retention/run-retention.ts';
import { spawnNetpanel } from '../../support/netpanel.ts';
import { addAgent } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { dayMs, days, useRetention } from './use-retention.ts';

const forEver: RetentionConfig = {
  retentionResultsDays: 0,
  retentionMetadataVersionsDays: 0,
  retentionAuditDays: 0,
  retentionCallCountsDays: 0,
};

describe('retention in Postgres', () => {
  const retention = useRetention();
  // Not in the future: the database refuses to delete young audit events by its own clock.
  const now = new Date();
  const daysAgo = (number: number, plusMs = 0) => new Date(now.getTime() - number * dayMs + plusMs);

  it('removes exactly what is older than its period, once', async () => {
    const { database } = retention.stores;
    await addEvents(daysAgo(200, -1), daysAgo(200), daysAgo(199));
    const lastDay = daysAgo(100).toISOString().slice(0, 10);
    await addCallCounts(daysAgo(101).toISOString().slice(0, 10), lastDay);
    const changes = await addHistory(daysAgo(300, -1), daysAgo(300));

    const removed = await retention.run(days, now);
    expect(removed).to.deep.include({
      audit_events: 1,
      call_counts: 1,
      metadata_versions: 1,
      metadata_changes: 1,
    });
    const events = await database('audit_events')
      .where({ target: 'retention-test' })
      .orderBy('id')
      .pluck<Date[]>('occurred_at');
    expect(events).to.deep.equal([daysAgo(200), daysAgo(199)]);
    const counted = await database.raw<{ rows: { day: string }[] }>(
      'select day::text as day from api_call_counts',
    );
    expect(counted.rows).to.deep.equal([{ day: lastDay }]);
    // The oldest version is gone, and with it the change that no other version refers to.
    expect(await database('agent_metadata').orderBy('id').pluck('recorded_by')).to.deep.equal(
      changes.slice(1),
    );
    expect(await database('metadata_changes').orderBy('id').pluck('id')).to.deep.equal(
      changes.slice(1),
    );
    // Metadata as it was recorded before the end of that version cannot be reproduced any more.
    expect(await database('metadata_history_start').pluck('kept_since')).to.deep.equal([
      daysAgo(300, -1),
    ]);
    expect(Object.values(await retention.run(days, now)).every((rows) => rows === 0)).to.equal(
      true,
    );
  });

  it('keeps a change that set values which a later change only shortened', async () => {
    const { database } = retention.stores;
    const organisation_id = retention.tenant.organisationId;
    const agent_key = await addAgent(database, organisation_id, { agentId: 'shortened' });
    const [first, second] = await database('metadata_changes')
      .insert(
        [daysAgo(900), daysAgo(800)].map((recorded_at) => ({
          organisation_id,
          recorded_at,
          request: {},
          agent_count: 1,
        })),
      )
      .returning<{ id: number }[]>('id');
    await database('agent_metadata').insert({
      agent_key,
      organisation_id,
      valid: '(,2024-01-01)',
      timezone: 'Europe/London',
      recorded_at: daysAgo(800),
      recorded_by: second!.id,
      first_recorded_at: daysAgo(900),
      first_recorded_by: first!.id,
    });
    await retention.run(days, now);
    const kept = database('metadata_changes').whereIn('id', [first!.id, second!.id]);
    expect(await kept.pluck('id')).to.have.length(2);
  });

  it('removes replicate weights that were replaced, and keeps the current ones', async () => {
    const { database } = retention.stores;
    const organisation_id = retention.tenant.organisationId;
    const agent_key = await addAgent(database, organisation_id, { agentId: 'replicated' });
    const valid_from = daysAgo(500);
    const sets = await database('weight_replicates')
      .insert(
        [daysAgo(300, -1), daysAgo(300), null].map((superseded_at) => ({
          organisation_id,
          key: 'weight',
          valid_from,
          replicate_count: 2,
          superseded_at,
        })),
      )
      .returning<{ id: number }[]>('id');
    await database('weight_replicate_factors').insert(
      sets.map(({ id: replicates_id }) => ({
        organisation_id,
        replicates_id,
        agent_key,
        valid_from,
        factors: [0, 1.5],
      })),
    );
    const rule = retention.rules(days).find(({ name }) => name === 'weight_replicates');
    expect(await rule!.count(daysAgo(days.retentionMetadataVersionsDays))).to.equal(2);
    expect((await retention.run(days, now)).weight_replicates).to.equal(2);
    const left = sets.slice(1).map(({ id }) => id);
    expect(await database('weight_replicates').orderBy('id').pluck('id')).to.deep.equal(left);
    const factors = database('weight_replicate_factors').orderBy('replicates_id');
    expect(await factors.pluck('replicates_id')).to.deep.equal(left);
  });

  it('forgets how long a period was before it was shortened', async () => {
    const { database } = retention.stores;
    const organisation_id = retention.tenant.organisationId;
    const agent_key = await addAgent(database, organisation_id, { agentId: 'longer' });
    const times = [daysAgo(900), daysAgo(800), daysAgo(10)];
    const changes = await database('metadata_changes')
      .insert(
        times.map((recorded_at) => ({ organisation_id, recorded_at, request: {}, agent_count: 1 })),
      )
      .returning<{ id: number }[]>('id');
    const [first, second, third] = changes.map(({ id }) => id);
    const shortened = (valid: string, longer_valid: string, by: number) => ({
      agent_key,
      organisation_id,
      valid,
      longer_valid,
      recorded_at: times[0],
      recorded_by: first,
      shortened_at: times[by],
      shortened_by: changes[by]!.id,
    });
    await database('agent_metadata').insert([
      shortened('(,2024-01-01)', '(,2024-02-01)', 1),
      shortened('[2024-03-01,2024-04-01)', '[2024-03-01,)', 2),
    ]);
    const rule = retention.rules(days).find(({ name }) => name === 'metadata_versions');
    expect(await rule!.count(daysAgo(days.retentionMetadataVersionsDays))).to.equal(1);
    expect((await retention.run(days, now)).metadata_versions).to.equal(1);
    const kept = await database('agent_metadata')
      .where({ agent_key })
      .orderBy('valid')
      .select('recorded_by', 'first_recorded_by', 'shortened_by', 'longer_valid');
    expect(kept).to.deep.equal([
      { recorded_by: second, first_recorded_by: first, shortened_by: null, longer_valid: null },
      {
        recorded_by: first,
        first_recorded_by: null,
        shortened_by: third,
        longer_valid: '["2024-03-01 00:00:00+00",)',
      },
    ]);
    const { rows } = await database.raw<{ rows: { kept: boolean }[] }>(
      'select kept_since >= ? as kept from metadata_history_start',
      [daysAgo(800)],
    );
    expect(rows).to.deep.equal([{ kept: true }]);
  });

  it('removes nothing where the period is 0', async () => {
    await addEvents(new Date('2001-01-01'));
    await addCallCounts('2001-01-01');
    const removed = await retention.run(forEver, now);
    expect(Object.values(removed).every((rows) => rows === 0)).to.equal(true);
    expect((await retention.run(days, now)).audit_events).to.equal(1);
  });

  it('removes records of watched files by the end of the load, not those being loaded', async () => {
    const { database } = retention.stores;
    const file = { organisation_id: retention.tenant.organisationId, place: '/data', version: '1' };
    const old = { ...file, size_bytes: 1, modified_at: daysAgo(999), started_at: daysAgo(999) };
    await database('watched_files').insert([
      { ...old, name: 'old', status: 'loaded', ended_at: daysAgo(365, -1) },
      { ...old, name: 'young', status: 'failed', ended_at: daysAgo(365) },
      { ...old, name: 'loading', status: 'loading', ended_at: null },
    ]);
    expect((await retention.run(days, now)).watched_files).to.equal(1);
    expect(await database('watched_files').orderBy('name').pluck('name')).to.deep.equal([
      'loading',
      'young',
    ]);
  });

  it('is the only way to delete history, and records what it removed', async () => {
    const { database } = retention.stores;
    for (const table of ['agent_metadata', 'metadata_changes', 'audit_events']) {
      const error = await database(table)
        .delete()
        .then(() => undefined, String);
      expect(error, table).to.match(/cannot be (changed or )?deleted/);
    }
    const recorded = await database('audit_events')
      .where({ action: 'retention.remove', target: 'metadata_versions' })
      .first<{ actor: string; details: object }>('actor', 'details');
    expect(recorded.actor).to.equal('test');
    expect(recorded.details).to.include({ rows: 1, days: 300 });
  });

  it('is continued after a kill in the middle', async () => {
    const { database } = retention.stores;
    await addEvents(new Date('2001-01-01'));
    await addCallCounts('2001-01-01', '2001-01-02');
    // The rule of call counts is the last. It waits for this lock while the process is killed.
    const holder = await database.transaction();
    await holder.raw('lock table api_call_counts in access exclusive mode');
    const killed = spawnNetpanel(retention.stores, 'retention', 'run');
    const ended = new Promise((resolve) => killed.once('close', resolve));
    await waitUntil(async () => !(await hasOldEvents()));
    killed.kill('SIGKILL');
    await ended;
    await holder.rollback();
    const counts = () => database('api_call_counts').where('day', '<', '2002-01-01').pluck('day');
    expect(await counts()).to.have.length(2);
    // Postgres notices the end of the connections, which hold locks, after a moment.
    await waitUntil(async () => {
      await retention.attempt(days, now);
      return (await counts()).length === 0;
    });
  });

  it('removes more rows than one batch has, and ends between batches on shutdown', async () => {
    const { database } = retention.stores;
    await database.raw(
      `insert into audit_events (occurred_at, actor, action, target)
       select timestamptz '2001-01-01', 'test', 'test', 'retention-test' from generate_series(1, 12000)`,
    );
    const stop = new AbortController();
    const rules = retention.rules(days);
    const removed: number[] = [];
    await runRetention({
      database,
      rules,
      actor: 'test',
      now,
      signal: stop.signal,
      onRemoved: ({ name }, rows) => {
        if (name !== 'audit_events') return;
        removed.push(rows);
        stop.abort();
      },
    });
    expect(removed).to.deep.equal([5_000]);
    expect((await retention.run(days, now)).audit_events).to.equal(7_000);
  });

  async function hasOldEvents(): Promise<boolean> {
    const found = await retention.stores
      .database('audit_events')
      .where('occurred_at', '<', '2002-01-01')
      .first<{ id: number } | undefined>('id');
    return found !== undefined;
  }

  async function addEvents(...times: Date[]): Promise<void> {
    await retention.stores.database('audit_events').insert(
      times.map((occurred_at) => ({
        occurred_at,
        actor: 'test',
        action: 'test',
        target: 'retention-test',
      })),
    );
  }

  async function addCallCounts(...dates: string[]): Promise<void> {
    const token = await retention.stores.database('api_tokens').first<{ id: number }>('id');
    await retention.stores.database('api_call_counts').insert(
      dates.map((day) => ({
        day,
        organisation_id: retention.tenant.organisationId,
        token_id: token.id,
        route: 'GET /metadata',
        status: 200,
        call_count: 1,
      })),
    );
  }

  /** Three versions of an agent's metadata, the first two superseded at these times. Returns their changes. */
  async function addHistory(first: Date, second: Date): Promise<readonly number[]> {
    const { database } = retention.stores;
    const { organisationId } = retention.tenant;
    const agentKey = await addAgent(database, organisationId, { agentId: randomUUID() });
    const recorded = new Date('2001-01-01');
    const changes = await database('metadata_changes')
      .insert(
        [1, 2, 3].map(() => ({
          organisation_id: organisationId,
          recorded_at: recorded,
          request: '{}',
          agent_count: 1,
        })),
      )
      .returning<{ id: number }[]>('id');
    const ids = changes.map(({ id }) => id);
    await database('agent_metadata').insert(
      [first, second, null].map((superseded_at, i) => ({
        agent_key: agentKey,
        organisation_id: organisationId,
        valid: '[,)',
        recorded_at: recorded,
        recorded_by: ids[i],
        superseded_at,
        // By the version after the next one, so that the first change is referred to only by its own version.
        superseded_by: superseded_at === null ? null : ids[2],
      })),
    );
    return ids;
  }
});
