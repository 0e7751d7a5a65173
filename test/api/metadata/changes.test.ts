import { expect } from 'chai';
import { localStack } from '../../support/local-stack.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import { daysAgo, type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { newTenantToken } from '../../support/tenant.ts';

interface Period {
  readonly from: string | null;
  readonly to: string | null;
  readonly package: string | null;
  readonly recordedAt: string;
  readonly recordedBy: { readonly kind: string; readonly name: string | null };
}

interface Change {
  readonly id: number;
  readonly recordedAt: string;
  readonly recordedBy: Period['recordedBy'];
  readonly isComplete: boolean;
  readonly replaced: readonly Period[];
  readonly recorded: readonly Period[];
}

const iso = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString();

describe('who changed the metadata of an agent', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(4)));

  it('a backdated change does not make the older half of a period look newly recorded', async () => {
    await setPackage('ops', 1, 'Northwave:Fibre 100', 20);
    const [original] = await historyOf(1);
    await setPackage('billing', 1, 'Northwave:Fibre 500', 10);
    // Splits the older half again.
    await setPackage('support', 1, 'Breeze:Mobile', 15);

    const [newer, older] = await historyOf(1);
    expect(older).to.deep.include({
      from: original!.from,
      package: 'Northwave:Fibre 100',
      recordedAt: original!.recordedAt,
      recordedBy: { kind: 'token', name: 'ops' },
    });
    expect(newer!.recordedBy).to.deep.equal({ kind: 'token', name: 'support' });
    expect(newer!.recordedAt > older!.recordedAt).to.equal(true);
  });

  it('lists the changes with what each replaced, newest first, in pages', async () => {
    const [first, second] = [daysAgo(20), daysAgo(10)];
    await setPackage('ops', 2, 'Northwave:Fibre 100', 20, first);
    await setPackage('billing', 2, 'Northwave:Fibre 500', 10, second);
    const changes = await changesOf('/metadata/unit/2/changes');
    expect(changes.data.map(({ recordedBy }) => recordedBy.name)).to.deep.equal(['billing', 'ops']);
    const [newest, oldest] = changes.data as [Change, Change];
    expect(newest.isComplete).to.equal(true);
    expect(newest.replaced.map(shown)).to.deep.equal([[iso(first), null, 'Northwave:Fibre 100']]);
    // Without the older half, which kept its values.
    expect(newest.recorded.map(shown)).to.deep.equal([[iso(second), null, 'Northwave:Fibre 500']]);
    expect(newest.replaced[0]!.recordedBy.name).to.equal('ops');
    expect(oldest.replaced).to.deep.equal([]);

    const page = await changesOf('/metadata/unit/2/changes?limit=1');
    expect(page.data).to.deep.equal([newest]);
    const rest = await changesOf(page.next!);
    expect(rest.data).to.deep.equal([oldest]);
    expect(rest).to.not.have.property('next');
  });

  it('lists no change of other agents, and none for an agent without metadata', async () => {
    expect((await changesOf('/metadata/unit/3/changes')).data).to.deep.equal([]);
    expect((await own.client.get('/metadata/unit/99/changes')).status).to.equal(404);
  });

  it('names an import by its file', async () => {
    const { database, tenant, agentKeys } = own;
    const [change] = await database('metadata_changes')
      .insert({
        organisation_id: tenant.organisationId,
        request: { import: '<b>agents.csv' },
        agent_count: 1,
      })
      .returning<{ id: number; recorded_at: Date }[]>(['id', 'recorded_at']);
    await database('agent_metadata').insert({
      agent_key: agentKeys[3],
      organisation_id: tenant.organisationId,
      valid: '(,)',
      recorded_at: change!.recorded_at,
      recorded_by: change!.id,
    });
    const [period] = await historyOf(4);
    expect(period!.recordedBy).to.deep.equal({ kind: 'import', name: '<b>agents.csv' });
  });

  it('422: an invalid page', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'before=0', 'before=1e3', 'before=']) {
      expect((await own.client.get(`/metadata/unit/1/changes?${query}`)).status).to.equal(422);
    }
  });

  async function setPackage(
    label: string,
    unit_id: number,
    name: string,
    days: number,
    backdate_from = daysAgo(days),
  ): Promise<void> {
    const { database, metadataUrl } = await localStack();
    const columns = { label };
    const organisation = own.tenant.organisationId;
    const token = await newTenantToken(database, organisation, 'metadata', columns);
    const { status } = await metadataClient(metadataUrl, token).put({
      agent: { unit_id },
      metadata: { package: name },
      backdate_from,
    });
    expect(status).to.equal(200);
  }

  async function historyOf(unit: number): Promise<readonly Period[]> {
    return (await own.client.get(`/metadata/unit/${unit}/history`)).body.data as Period[];
  }

  async function changesOf(path: string) {
    const { status, body } = await own.client.get(path);
    expect(status).to.equal(200);
    return body as unknown as { readonly data: readonly Change[]; readonly next?: string };
  }
});

describe('PUT /metadata?dry_run=true', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(7)));

  const change = (days: number) => ({
    agent: { unit_id: 1 },
    metadata: { package: 'Northwave:Fibre 500', custom: { floor: 7 } },
    backdate_from: daysAgo(days),
  });

  it('shows what the change does, and changes nothing', async () => {
    await own.client.put({ ...change(20), metadata: { package: 'Northwave:Fibre 100' } });
    const version = own.client.lastVersion();
    const before = await stored();
    const sent = change(5);
    const { status, body } = await own.client.put(sent, 'dry_run=true');
    expect(status).to.equal(200);
    expect(body.message).to.equal('Dry run: nothing was changed');
    const { agents, changes } = body.data as { agents: number; changes: DryRun[] };
    expect(agents).to.equal(1);
    expect(changes.map(({ agentId }) => agentId)).to.deep.equal(['box-1']);
    expect(changes[0]!.replaced.map(shown)).to.deep.equal([
      [changes[0]!.replaced[0]!.from, null, 'Northwave:Fibre 100'],
    ]);
    expect(changes[0]!.recorded.map(shown)).to.deep.equal([
      [iso(sent.backdate_from), null, 'Northwave:Fibre 500'],
    ]);
    expect(await stored()).to.deep.equal(before);

    await own.client.put(sent);
    expect(own.client.lastVersion()).to.equal(version + 1);
    const { body: listed } = await own.client.get('/metadata/unit/1/changes?limit=1');
    const [{ replaced, recorded }] = listed.data as [Change];
    expect(replaced).to.deep.equal(changes[0]!.replaced);
    expect(recorded.map(shown)).to.deep.equal(changes[0]!.recorded.map(shown));
  });

  it('lists the first five agents of a change of many, and none if nothing changes', async () => {
    const many = { agent: { timezone: 'Asia/Tokyo' }, metadata: { custom: { room: 1 } } };
    for (let unit_id = 1; unit_id <= 7; unit_id++) {
      await own.client.put({ agent: { unit_id }, metadata: { timezone: 'Asia/Tokyo' } });
    }
    const { body } = await own.client.put(many, 'dry_run=true');
    const { agents, changes } = body.data as { agents: number; changes: DryRun[] };
    expect(agents).to.equal(7);
    expect(changes.map(({ agentId }) => agentId)).to.deep.equal(
      [1, 2, 3, 4, 5].map((unit) => `box-${unit}`),
    );
    await own.client.put(many);
    const again = await own.client.put(many, 'dry_run=true');
    expect(again.body.data).to.deep.equal({ agents: 7, changes: [] });
  });

  it('checks the request like the change itself', async () => {
    const unknown = { ...change(5), metadata: { package: 'Nowhere:Fibre' } };
    expect((await own.client.put(unknown, 'dry_run=true')).status).to.equal(422);
    const nobody = { ...change(5), agent: { unit_id: 99 } };
    expect((await own.client.put(nobody, 'dry_run=true')).status).to.equal(404);
    const invalid = await own.client.put(change(5), 'dry_run=maybe');
    expect(invalid.body.errors).to.deep.equal({
      dry_run: ['This value should be true or false.'],
    });
  });

  it('warns of later changes that would be replaced', async () => {
    await own.client.put({ ...change(3), agent: { unit_id: 2 } });
    const { body } = await own.client.put(
      { agent: { unit_id: 2 }, metadata: { package: 'Breeze:Mobile' }, backdate_from: daysAgo(9) },
      'dry_run=true',
    );
    expect(body).to.have.property('warnings').with.length(1);
  });

  async function stored(): Promise<unknown> {
    const { database, tenant } = own;
    const { organisationId: organisation_id } = tenant;
    return {
      rows: await database('agent_metadata').where({ organisation_id }).orderBy('id'),
      changes: await database('metadata_changes').where({ organisation_id }).orderBy('id'),
      version: await database('metadata_versions').where({ organisation_id }),
    };
  }
});

interface DryRun {
  readonly agentId: string;
  readonly replaced: readonly Period[];
  readonly recorded: readonly Period[];
}

function shown({ from, to, package: name }: Period) {
  return [from, to, name];
}
