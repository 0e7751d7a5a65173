import { expect } from 'chai';
import { emptyRecord } from '../../../services/registry/agents/agent-record.ts';
import {
  importAgents,
  type ImportResult,
  OverwrittenHistory,
} from '../../../services/metadata/history/import-agents.ts';
import type { AgentRecord } from '../../../services/registry/agents/agent-record.ts';
import { customLimitSettings } from '../../../services/registry/organisations/custom-limits.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

type Fields = Partial<Pick<AgentRecord, 'isp' | 'packageName' | 'timezone' | 'custom'>>;

describe('the releases of a panel', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  before(async () => {
    stores = await isolatedStores();
  });
  beforeEach(async () => {
    tenant = await newTenant(stores.database);
  });
  after(() => stores.close());

  const release = (day: string, fields: Fields, mayRewrite = false): Promise<ImportResult> =>
    imported(day, { ...fields, statesPackage: true, statesTimezone: true }, { mayRewrite });
  const imported = (
    day: string,
    fields: Partial<AgentRecord>,
    asRelease?: { readonly mayRewrite: boolean },
  ) =>
    importAgents(stores.database, {
      organisationId: tenant.organisationId,
      records: [{ ...emptyRecord, unitId: 1, ...fields }],
      validFromUtc: new Date(day),
      source: `${day}.csv`,
      limits: readSettings(customLimitSettings, {}),
      ...(asRelease && { release: asRelease }),
    });
  const put = (day: string, custom: object) =>
    changeMetadata(
      stores.database,
      tenant,
      { agent: { unit_id: 1 }, metadata: { custom }, backdate_from: Date.parse(day) / 1000 },
      new Date(Date.parse(day) + 86_400_000),
    );
  /** `2013-01-01: Lake 50/5 Europe/London {"weight":2}`, without periods that repeat the values. */
  const history = async () => {
    const { rows } = await stores.database.raw<{ rows: { from: Date | null; values: string }[] }>(
      `select lower(m.valid) as from, concat_ws(' ', i.name, p.name, m.timezone, m.custom) as values
       from agent_metadata m left join isps i on i.id = m.isp_id
         left join packages p on p.id = m.package_id
       where m.organisation_id = ? and m.superseded_at is null order by m.valid`,
      [tenant.organisationId],
    );
    return rows
      .filter(({ values }, i) => values !== rows[i - 1]?.values)
      .map(({ from, values }) => `${from?.toISOString().slice(0, 10) ?? 'always'}: ${values}`);
  };
  const recordedRows = async () => {
    const { rows } = await stores.database.raw<{ rows: object[] }>(
      'select * from agent_metadata where organisation_id = ? order by id',
      [tenant.organisationId],
    );
    return rows;
  };

  const full = { isp: 'Lake', packageName: '50/5', timezone: 'Europe/London' };
  const blank = { custom: { weight: null } };

  it('a blank cell means none, and the next release does not change the one before', async () => {
    await release('2013-01-01', { ...full, custom: { weight: 2 } });
    const { historiesChanged, fieldsCleared } = await release('2014-01-01', {
      isp: 'Harbor',
      custom: { weight: null },
    });
    expect({ historiesChanged, fieldsCleared }).to.deep.equal({
      historiesChanged: 1,
      // The package, the time zone and the weight; the ISP has another value.
      fieldsCleared: 3,
    });
    expect(await history()).to.deep.equal([
      'always: Lake 50/5 Europe/London {"weight": 2}',
      '2014-01-01: Harbor {}',
    ]);
  });

  it('give the same history in any order', async () => {
    const releases: readonly (readonly [string, Fields])[] = [
      ['2012-01-01', { isp: 'Lake', packageName: '10/1', custom: { weight: 1 } }],
      ['2013-01-01', { ...full, custom: { weight: 2 } }],
      // The same again: the release of 2012 must not reach beyond 2013.
      ['2014-01-01', { ...full, custom: { weight: 2 } }],
      ['2015-01-01', blank],
    ];
    const wanted = [
      'always: Lake 10/1 {"weight": 1}',
      '2013-01-01: Lake 50/5 Europe/London {"weight": 2}',
      '2015-01-01: {}',
    ];
    for (const order of permutations(releases)) {
      tenant = await newTenant(stores.database);
      for (const [day, fields] of order) await release(day, fields);
      const names = order.map(([day]) => day).join(', ');
      expect(await history(), names).to.deep.equal(wanted);
      const before = await recordedRows();
      for (const [day, fields] of order) {
        const { historiesChanged, fieldsCleared } = await release(day, fields);
        expect({ historiesChanged, fieldsCleared }, names).to.deep.equal({
          historiesChanged: 0,
          fieldsCleared: 0,
        });
      }
      expect(await recordedRows(), `${names}, loaded again`).to.deep.equal(before);
    }
  });

  it('end at the next recorded change, of a request or an import, and keep it', async () => {
    await release('2013-01-01', { ...full, custom: { weight: 2 } });
    await put('2013-06-01', { tier: 'gold' });
    await imported('2014-06-01', { custom: { weight: 9 } });
    await release('2013-03-01', { isp: 'Harbor', custom: { weight: null } });
    expect(await history()).to.deep.equal([
      'always: Lake 50/5 Europe/London {"weight": 2}',
      '2013-03-01: Harbor {}',
      '2013-06-01: Lake 50/5 Europe/London {"tier": "gold", "weight": 2}',
      '2014-06-01: Lake 50/5 Europe/London {"tier": "gold", "weight": 9}',
    ]);
  });

  it('do not touch custom fields that they do not have, and end a history without a start', async () => {
    await imported('2012-01-01', { isp: 'Lake', custom: { tier: 'gold', weight: 7 } });
    await release('2014-01-01', blank);
    await release('2013-01-01', { ...full, custom: { weight: 2 } });
    expect(await history()).to.deep.equal([
      'always: Lake {"tier": "gold", "weight": 7}',
      '2013-01-01: Lake 50/5 Europe/London {"tier": "gold", "weight": 2}',
      '2014-01-01: {"tier": "gold"}',
    ]);
  });

  it('of the same day with other values are refused without mayRewrite, and stay in the history', async () => {
    await release('2013-01-01', { ...full, custom: { weight: 2 } });
    await release('2014-01-01', { ...full, custom: { weight: 3 } });
    const before = await recordedRows();
    const refused = await release('2013-01-01', blank).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OverwrittenHistory).and.have.property('agents', 1);
    expect(await recordedRows()).to.deep.equal(before);
    await release('2013-01-01', blank, true);
    expect(await history()).to.deep.equal([
      'always: {}',
      '2014-01-01: Lake 50/5 Europe/London {"weight": 3}',
    ]);
    expect(await recordedRows()).to.have.length(before.length + 1);
    await put('2013-01-01', { tier: 'gold' });
    await release('2013-01-01', { custom: { weight: 4 } }, true);
    expect(await history()).to.deep.equal([
      'always: {"weight": 4}',
      '2013-01-01: {"tier": "gold", "weight": 4}',
      '2014-01-01: Lake 50/5 Europe/London {"tier": "gold", "weight": 3}',
    ]);
  });
});

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) =>
    permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]),
  );
}
