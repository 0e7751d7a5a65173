import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { DataApi } from '../../support/data-api.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface View {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly createdAt: string;
}

const state = 'metric=httpget&split=isp&filter=%5B%22agent%22%2C%22include%22%2C%22box-1%22%5D';

describe('saved views', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let api: DataApi;

  beforeEach(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    api = new DataApi(stack.queryUrl, tenant.dataToken);
  });

  it('are saved, listed by name, opened and deleted by any data token of the organisation', async () => {
    const second = await save('Speed by ISP');
    const first = await save('By <b>package</b> & "plan"');
    const colleague = new DataApi(stack.queryUrl, await tokenWith({}));
    const { body } = await colleague.get('/views');
    expect(body.data).to.deep.equal([first, second].map(({ state: _state, ...listed }) => listed));
    expect((await colleague.get(`/views/${first.id}`)).body.data).to.deep.equal(first);
    expect(first.state).to.equal(state);

    expect((await colleague.send('DELETE', `/views/${first.id}`, {})).status).to.equal(200);
    expect((await api.get(`/views/${first.id}`)).status).to.equal(404);
    expect((await api.send('DELETE', `/views/${first.id}`, {})).status).to.equal(404);
    expect((await api.get('/views')).body.data).to.have.length(1);
  });

  it('are renamed, with the same id and link', async () => {
    const before = await save('Speed by ISP');
    const colleague = new DataApi(stack.queryUrl, await tokenWith({}));
    const { status, body } = await colleague.patch(`/views/${before.id}`, {
      name: ' Speed by <b>provider</b> ',
    });
    expect(status).to.equal(200);
    const renamed = { ...before, name: 'Speed by <b>provider</b>' };
    expect(body.data).to.deep.equal(renamed);
    expect((await api.get(`/views/${before.id}`)).body.data).to.deep.equal(renamed);
    // The old name is free, and the own name is not another view's.
    const other = await save('Speed by ISP');
    expect((await rename(other.id, 'Speed by ISP')).status).to.equal(200);
    const taken = await rename(other.id, 'Speed by <b>provider</b>');
    expect([taken.status, Object.keys(taken.body.errors!)]).to.deep.equal([422, ['name']]);
    expect((await api.get(`/views/${other.id}`)).body.data).to.deep.equal(other);
  });

  it('422: two views do not get one name, also when two requests come at once', async () => {
    const views = [await save('One'), await save('Two'), await save('Three')];
    const responses = await Promise.all(views.map(({ id }) => rename(id, 'Same')));
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 422, 422]);
  });

  it('422: a new name that is missing or invalid, or a new state', async () => {
    const { id } = await save('Kept');
    for (const body of [{}, { name: '' }, { name: 5 }, { name: 'a\nb' }, { name: 'a', state }]) {
      const { status } = await api.patch(`/views/${id}`, body);
      expect(status, JSON.stringify(body)).to.equal(422);
    }
    expect((await api.get(`/views/${id}`)).body.data).to.include({ name: 'Kept', state });
  });

  it('belong to one organisation', async () => {
    const { id } = await save('Ours');
    const stranger = new DataApi(stack.queryUrl, (await newTenant(stack.database)).dataToken);
    expect((await stranger.get('/views')).body.data).to.deep.equal([]);
    expect((await stranger.get(`/views/${id}`)).status).to.equal(404);
    expect((await stranger.send('DELETE', `/views/${id}`, {})).status).to.equal(404);
    const renaming = await stranger.patch(`/views/${id}`, { name: 'Theirs' });
    expect(renaming.status).to.equal(404);
    expect((await stranger.post('/views', { name: 'Ours', state })).status).to.equal(200);
    expect((await api.get(`/views/${id}`)).body.data).to.include({ name: 'Ours' });
  });

  it('422: a name that is used, also when two requests come at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/views', { name: ' Same ', state })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([
      200, 422, 422, 422, 422, 422,
    ]);
    expect(responses.find(({ status }) => status === 422)!.body.errors).to.deep.equal({
      name: [
        'Your organisation has a view with this name. Choose another name, or delete that view.',
      ],
    });
  });

  it('422: a name or state that is missing, invalid or too long', async () => {
    const name = 'A name';
    for (const [body, fields] of [
      [{}, ['name', 'state']],
      [[], ['name', 'state']],
      [{ name: '  ', state }, ['name']],
      [{ name: 5, state }, ['name']],
      [{ name: 'x'.repeat(101), state }, ['name']],
      [{ name: 'a\u0000b', state }, ['name']],
      [{ name: 'a\nb', state }, ['name']],
      [{ name: 'safe\u202Egnp.exe', state }, ['name']],
      [{ name: 'half \uD83D', state }, ['name']],
      [{ name, state: '' }, ['state']],
      [{ name, state: {} }, ['state']],
      [{ name, state: 'metric=<script>' }, ['state']],
      [{ name, state: 'metric' }, ['state']],
      [{ name, state: `metric=${'x'.repeat(8_000)}` }, ['state']],
      [{ name, state, id: 'x' }, ['id']],
    ] as const) {
      const response = await api.post('/views', body);
      expect(response.status, JSON.stringify(body)).to.equal(422);
      expect(Object.keys(response.body.errors!), JSON.stringify(body)).to.deep.equal(fields);
    }
    // Characters, not UTF-16 units.
    await save('🛰'.repeat(100));
  });

  it('422: more than 200 views', async () => {
    const { organisationId: organisation_id } = tenant;
    const { id: token_id } = await stack
      .database('api_tokens')
      .where({ organisation_id })
      .first<{ id: number }>('id');
    await stack
      .database('saved_views')
      .insert(
        Array.from({ length: 199 }, (_, i) => ({ organisation_id, token_id, name: `${i}`, state })),
      );
    const { id } = await save('The last one');
    const { status, body } = await api.post('/views', { name: 'One more', state });
    expect(status).to.equal(422);
    expect(body.errors!.name).to.deep.equal([
      'Your organisation has 200 views, the maximum. Delete one first.',
    ]);
    await api.send('DELETE', `/views/${id}`, {});
    await save('One more');
  });

  it('403: a token with a privacy floor does not see views that were saved without it', async () => {
    const { id } = await save('Household box-1');
    const floored = new DataApi(stack.queryUrl, await tokenWith({ min_agents: 5 }));
    const { status, body } = await floored.get(`/views/${id}`);
    expect([status, body.code]).to.deep.equal([403, 'PRIVACY_FLOOR']);
    expect((await floored.send('DELETE', `/views/${id}`, {})).status).to.equal(403);
    const renaming = await floored.patch(`/views/${id}`, { name: 'Guess' });
    expect(renaming.status).to.equal(403);
    expect((await floored.get('/views')).body.data).to.deep.equal([]);
    const { data } = (await floored.post('/views', { name: 'By ISP', state: 'split=isp' })).body;
    expect((await api.get(`/views/${(data as View).id}`)).status).to.equal(200);
    const same = new DataApi(stack.queryUrl, await tokenWith({ min_agents: 5 }));
    expect((await same.get(`/views/${(data as View).id}`)).status).to.equal(200);
    const higher = new DataApi(stack.queryUrl, await tokenWith({ min_agents: 6 }));
    expect((await higher.get(`/views/${(data as View).id}`)).status).to.equal(403);
  });

  it('are audited by their id, without their name and state', async () => {
    const { id } = await save('Household box-1');
    await rename(id, 'Household box-1 again');
    await api.send('DELETE', `/views/${id}`, {});
    const audited = () =>
      queryRows<{ route: string; request: string }>(
        stack.clickhouse,
        `SELECT route, request FROM query_audit
         WHERE organisation_id = ${tenant.organisationId} AND route LIKE '%/views%' ORDER BY route`,
      );
    await waitUntil(async () => (await audited()).length === 3);
    const [deleted, renamed, saved] = await audited();
    expect(renamed!.request).to.equal(JSON.stringify({ id }));
    expect(saved!.request).to.equal(JSON.stringify({ id }));
    expect(deleted!.request).to.include(id);
    expect(deleted!.request).not.to.include('box-1');
  });

  async function save(name: string): Promise<View> {
    const { status, body } = await api.post('/views', { name, state });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data as View;
  }

  function rename(id: string, name: string) {
    return api.patch(`/views/${id}`, { name });
  }

  function tokenWith(columns: { min_agents?: number }): Promise<string> {
    return newTenantToken(stack.database, tenant.organisationId, 'data', columns);
  }
});
