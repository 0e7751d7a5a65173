import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { daysAgo, metadataTenant, type MetadataTenant } from '../../support/metadata-tenant.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { startQueryService } from '../../support/query-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

const daily = {
  ...plainRequest,
  aggregation: 'total',
  splits: ['isp'],
  time: { from: '-3 days', to: 'now' },
};

const dtime = new Date(Date.now() - 86_400_000).toISOString().slice(0, 19).replace('T', ' ');

const stack = await localStack();

describe('knownAt', () => {
  let panel: MetadataTenant;
  let api: DataApi;
  /** A moment between the two changes of agent 1. */
  let moment: string;

  before(async () => {
    panel = await metadataTenant(2);
    api = new DataApi(stack.queryUrl, panel.tenant.dataToken);
    await addDownloads(
      stack.clickhouse,
      panel.tenant.organisationId,
      panel.agentKeys.map((agentKey, i) => ({ agentKey, agentId: `box-${i + 1}`, dtime, mbps: 5 })),
    );
    await change('Northwave:Fibre 500');
    moment = new Date().toISOString();
    await change('Breeze:Mobile');
  });

  it('before the organisation existed is refused with the first moment that works', async () => {
    const { status, body } = await api.post('/metric_data', { ...daily, knownAt: '2020-01-01' });
    expect(status).to.equal(422);
    const [message = ''] = body.errors?.knownAt ?? [];
    const [, earliest] = /history begins at (.*) UTC\. Send a later/.exec(message) ?? [];
    await waitUntil(() => Date.parse(`${earliest}Z`) <= Date.now());
    await ispsKnownAt(earliest!);
  });

  it('is refused when the history of that time was deleted by retention', async () => {
    const { database } = stack;
    const keptSince = (time: unknown) =>
      database('metadata_history_start').update({ kept_since: time });
    await keptSince(new Date());
    try {
      for (const path of ['/metric_data', '/metric_data/explain', '/metric_data.csv']) {
        const { status, body } = await api.post(path, { ...daily, knownAt: moment });
        expect(status, path).to.equal(422);
        expect(body.errors?.knownAt?.[0], path).to.match(/^The metadata history begins at 20/);
      }
    } finally {
      await keptSince('-infinity');
    }
    expect(await ispsKnownAt(moment)).to.deep.equal(['Northwave', null]);
  });

  it('is refused for more periods of metadata than the maximum, which the message names', async () => {
    const service = await startQueryService({ MAX_KNOWN_AT_PERIODS: '1' });
    try {
      const limited = new DataApi(service.url, panel.tenant.dataToken);
      // Not copied yet: the history has a second period since.
      const later = await change('Northwave:Fibre 100');
      const { status, body } = await limited.post('/metric_data', { ...daily, knownAt: later });
      expect(status).to.equal(422);
      expect(body.errors?.knownAt?.[0]).to.include('the maximum for knownAt is 1');
    } finally {
      await service.stop();
    }
  });

  it('copies the metadata once for all moments between two changes, also by requests at the same time', async () => {
    const first = await change('Northwave:Fibre 500');
    const moments = Array.from({ length: 6 }, (_, i) => new Date(Date.parse(first) + i));
    await waitUntil(() => Date.now() > moments.at(-1)!.getTime());
    const answers = await Promise.all(moments.map((at) => ispsKnownAt(at.toISOString())));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).to.have.property('size', 1);
    const last = await panel
      .database('metadata_changes')
      .where({ organisation_id: panel.tenant.organisationId })
      .max<{ max: number }[]>('id');
    expect(await copiesOf(last[0]!.max)).to.equal(1);
  });

  it('does not use a copy that was not finished, or lost rows to an erasure', async () => {
    const { clickhouse } = stack;
    expect(await ispsKnownAt(moment)).to.deep.equal(['Northwave', null]);
    const { organisationId } = panel.tenant;
    // Some rows of the copy are left.
    await clickhouse.command({
      query: `ALTER TABLE agent_metadata_known_at
        DELETE WHERE organisation_id = ${organisationId} AND isp = 'Northwave'`,
      clickhouse_settings: { mutations_sync: '2' },
    });
    await clickhouse.command({
      query: `INSERT INTO agent_metadata_known_at (organisation_id, fill, agent_key, valid_from, isp)
        SELECT ${organisationId}, generateUUIDv4(), ${panel.agentKeys[0]}, 0, 'half'`,
    });
    expect(await ispsKnownAt(moment)).to.deep.equal(['Northwave', null]);
  });

  it('never shows the metadata of another organisation, even for a result with its agent', async () => {
    const other = await metadataTenant(0);
    await addDownloads(stack.clickhouse, other.tenant.organisationId, [
      { agentKey: panel.agentKeys[0]!, agentId: 'box-1', dtime, mbps: 5 },
    ]);
    const knownAt = new Date().toISOString();
    expect(await ispsKnownAt(knownAt)).to.deep.equal(['Northwave', null]);
    const others = new DataApi(stack.queryUrl, other.tenant.dataToken);
    expect(await ispsKnownAt(knownAt, others)).to.deep.equal([null]);
  });

  it('is a field of metric data only: test data has no metadata', async () => {
    const { body } = await api.post('/test_data', {
      test: 'httpget',
      date: { from: '-3 days', to: 'now' },
      knownAt: moment,
    });
    expect(JSON.stringify(body)).to.include('Ignored an unknown field');
  });

  /** Returns a moment after the change. */
  async function change(packageName: string): Promise<string> {
    await changeMetadata(panel.database, panel.tenant, {
      agent: { unit_id: 1 },
      metadata: { package: packageName },
      backdate_from: daysAgo(5),
    });
    return new Date().toISOString();
  }

  async function ispsKnownAt(knownAt: string, client = api): Promise<unknown> {
    return (await client.points({ ...daily, knownAt })).map(({ isp }) => isp);
  }

  async function copiesOf(changeId: number): Promise<number> {
    const result = await stack.clickhouse.query({
      query:
        'SELECT toUInt32(count()) AS copies FROM agent_metadata_known_at_fill WHERE change_id = {id:UInt64}',
      query_params: { id: changeId },
      format: 'JSONEachRow',
    });
    return (await result.json<{ copies: number }>())[0]!.copies;
  }
});
