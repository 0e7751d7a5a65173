import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';

const stack = await localStack();

describe('netpanel sets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-sets-'));
  after(() => rmSync(folder, { recursive: true }));
  let tenant: Tenant;
  let api: DataApi;

  before(async () => {
    tenant = await newTenant(stack.database);
    api = new DataApi(stack.queryUrl, tenant.dataToken);
    const agents = [
      { agentId: '00:1A:2B:3C:4D:5E', unitId: 7, mbps: 10 },
      { agentId: 'site1-11', unitId: 8, mbps: 20 },
      { agentId: 'site1-12', unitId: 9, mbps: 60 },
    ];
    for (const { mbps, ...agent } of agents) {
      const agentKey = await addAgent(stack.database, tenant.organisationId, agent);
      await addDownloads(stack.clickhouse, tenant.organisationId, [
        { agentKey, agentId: agent.agentId, mbps, dtime: '2026-10-01 10:00:00' },
      ]);
    }
  });

  function fileOf(...lines: readonly string[]): string {
    const path = join(folder, 'ids.txt');
    writeFileSync(path, lines.join('\n'));
    return path;
  }

  const sets = (...args: readonly string[]) => netpanelOk(stack, 'sets', ...args);
  const org = () => ['--org', tenant.name];

  const request = (filterType: 'include' | 'exclude', ...filterValues: readonly string[]) => ({
    ...plainRequest,
    aggregation: 'total',
    time: { from: '2026-10-01', to: '2026-10-02' },
    filters: [{ id: 'set', filterType, filterValues }],
  });
  const ask = (...parts: Parameters<typeof request>) => api.post('/metric_data', request(...parts));
  const meanOf = async (...parts: Parameters<typeof request>) =>
    (await api.points(request(...parts)))[0]?.metricValue;

  it('saves agents by id, in any spelling, and a filter includes or excludes them', async () => {
    const ids = fileOf('# excluded in 2018', '001a.2b3c.4d5e', '', '  site1-11 ');
    expect(await sets('add', 'excluded', ...org(), '--file', ids)).to.equal(
      'excluded: 2 agents added, 0 removed; the set has 2\n',
    );
    expect(await meanOf('include', 'excluded')).to.equal(15);
    expect(await meanOf('exclude', 'excluded')).to.equal(60);
  });

  it('adds and replaces agents by unit, and lists and shows sets', async () => {
    await sets('add', 'fast', ...org(), '--by', 'unit', '--file', fileOf('8'));
    const added = await sets('add', 'fast', ...org(), '--by', 'unit', '--file', fileOf('009', '8'));
    expect(added).to.equal('fast: 1 agents added, 0 removed; the set has 2\n');
    expect(await meanOf('include', 'fast')).to.equal(40);
    await sets('add', 'fast', ...org(), '--by', 'unit', '--replace', '--file', fileOf('9'));
    expect(await meanOf('include', 'fast')).to.equal(60);
    expect(await meanOf('include', 'fast', 'excluded')).to.equal(30);
    const listed = JSON.parse(await sets('list', ...org(), '--json')) as object[];
    expect(listed).to.have.length(2);
    expect(listed[1]).to.include({ name: 'fast', agents: 1 });
    expect(JSON.parse(await sets('show', 'fast', ...org(), '--json'))).to.deep.equal([
      { agentId: 'site1-12', unitId: 9 },
    ]);
  });

  it('refuses ids of unknown agents with their lines, or leaves them out', async () => {
    const ids = fileOf('8', '4711', '4712');
    const refused = await netpanel(
      stack,
      ...['sets', 'add', 'slow', ...org(), '--by', 'unit', '--file', ids],
    );
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain(
      'does not have 2 of the agents: 4711 (line 2), 4712 (line 3)',
    );
    expect(await sets('list', ...org())).not.to.contain('slow');
    const kept = await sets(
      ...['add', 'slow', ...org(), '--by', 'unit', '--skip-unknown', '--file', ids],
    );
    expect(kept).to.contain('left out').and.to.contain('slow: 1 agents added');
  });

  it('names the line of an invalid id', async () => {
    const ids = fileOf('8', 'nine');
    const { code, stderr } = await netpanel(
      stack,
      ...['sets', 'add', 'bad', ...org(), '--by', 'unit', '--file', ids],
    );
    expect(code).to.equal(1);
    expect(stderr).to.contain('ids.txt, line 2: "nine": a unit id must be a whole number');
  });

  it('lists sets as values of the filter, and refuses unknown names with a suggestion', async () => {
    const { body } = await api.get('/filters/set/values');
    expect(body.data).to.deep.equal(['excluded', 'fast', 'slow']);
    const filters = (await api.get('/filters')).body.data as { id: string }[];
    expect(filters.map(({ id }) => id)).to.include('set');
    const splits = (await api.get('/splits')).body.data as { id: string }[];
    expect(splits.map(({ id }) => id)).not.to.include('set');
    const { status, body: refused } = await ask('exclude', 'exclude');
    expect(status).to.equal(422);
    expect(refused.errors?.['filters[0][filterValues][0]']?.[0]).to.match(
      /^Unknown set "exclude"\. Did you mean "excluded"\?/,
    );
  });

  it('hides the sets of other organisations', async () => {
    const other = await newTenant(stack.database);
    const otherApi = new DataApi(stack.queryUrl, other.dataToken);
    expect((await otherApi.get('/filters/set/values')).body.data).to.deep.equal([]);
  });

  it('records changes in the audit, without ids', async () => {
    const { database } = stack;
    const events = await database('audit_events')
      .where({ organisation_id: tenant.organisationId })
      .whereLike('action', 'set.%')
      .orderBy('id')
      .select<{ action: string; target: string; details: object }[]>('action', 'target', 'details');
    expect(events[0]).to.include({ action: 'set.create', target: 'set excluded' });
    expect(events[1]).to.deep.equal({
      action: 'set.add_agents',
      target: 'set excluded',
      details: { agents: 2 },
    });
    expect(events.map(({ action }) => action)).to.include('set.remove_agents');
  });

  it('are checked by netpanel doctor, and copied again by netpanel sets copy', async () => {
    const line = async () => {
      const { stdout } = await netpanel(stack, 'doctor');
      return stdout.split('\n').find((text) => text.includes('Agent sets'));
    };
    expect(await line()).to.match(/the same in both databases/);
    await stack.clickhouse.command({
      query: `ALTER TABLE agent_set_member DELETE WHERE organisation_id = ${tenant.organisationId}`,
      clickhouse_settings: { mutations_sync: '2' },
    });
    expect(await line()).to.match(/different from Postgres: .*fast of/);
    await sets('copy', ...org());
    expect(await line()).to.match(/the same in both databases/);
    expect(await meanOf('include', 'fast')).to.equal(60);
  });

  it('removes a set: requests that name it are refused', async () => {
    await sets('remove', 'fast', ...org());
    expect((await ask('exclude', 'fast')).status).to.equal(422);
    expect((await api.get('/filters/set/values')).body.data).to.deep.equal(['excluded', 'slow']);
    const again = await netpanel(stack, 'sets', 'remove', 'fast', ...org());
    expect(again.stderr).to.contain('has no set "fast"');
  });
});
