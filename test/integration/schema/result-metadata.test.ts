import { expect } from 'chai';
import { openSchema, type Schema } from './open-schema.ts';

const openStart = '1970-01-01 00:00:00';
const openEnd = '2106-02-07 06:28:15';

describe('metadata in the result views', () => {
  let schema: Schema;
  before(async () => (schema = await openSchema()));
  after(() => schema.close());

  it('a result belongs to the package the household had when it ran', async () => {
    await publish(1, [
      period(1, openStart, '2026-01-14 23:59:59', { isp: 'Acme', package: 'Acme:Basic 10' }),
      period(1, '2026-01-15 00:00:00', openEnd, { isp: 'Acme', package: 'Acme:Fibre 100' }),
    ]);
    await resultsAt(1, ['2026-01-14 12:00:00.000', '2026-01-16 12:00:00.000']);
    expect(await resultsOf(1, 'isp, package, kind, country')).to.deep.equal([
      { isp: 'Acme', package: 'Acme:Basic 10', kind: 'Whitebox', country: 'NP' },
      { isp: 'Acme', package: 'Acme:Fibre 100', kind: 'Whitebox', country: 'NP' },
    ]);
  });

  it('a period starts at its first second, and the newer one wins at a shared second', async () => {
    await publish(2, [
      period(2, openStart, '2026-01-14 23:59:59', { package: 'A:old' }),
      period(2, '2026-01-15 00:00:00', openEnd, { package: 'A:new' }),
      period(3, openStart, '2026-01-15 00:00:00', { package: 'A:old' }),
      period(3, '2026-01-15 00:00:00', openEnd, { package: 'A:new' }),
    ]);
    const instants = ['2026-01-14 23:59:59.999', '2026-01-15 00:00:00.000'];
    await resultsAt(2, instants);
    await resultsAt(3, instants);
    const expected = [{ package: 'A:old' }, { package: 'A:new' }];
    expect(await resultsOf(2, 'package')).to.deep.equal(expected);
    expect(await resultsOf(3, 'package')).to.deep.equal(expected);
  });

  it("local time in St John's skips an hour in March and repeats one in November", async () => {
    await publish(4, [period(5, openStart, openEnd, { timezone: 'America/St_Johns' })]);
    await resultsAt(5, [
      '2026-03-08 05:29:59.999',
      '2026-03-08 05:30:00.000',
      '2026-11-01 04:29:59.999',
      '2026-11-01 04:30:00.000',
    ]);
    expect(await resultsOf(5, 'local_time, utc_offset_s')).to.deep.equal([
      { local_time: '2026-03-08 01:59:59', utc_offset_s: -12600 },
      { local_time: '2026-03-08 03:00:00', utc_offset_s: -9000 },
      { local_time: '2026-11-01 01:59:59', utc_offset_s: -9000 },
      { local_time: '2026-11-01 01:00:00', utc_offset_s: -12600 },
    ]);
  });

  it('a result without known metadata has nulls and UTC', async () => {
    await publish(5, [period(6, '2026-02-01 00:00:00', openEnd, { timezone: 'Asia/Kolkata' })]);
    await resultsAt(6, ['2026-01-31 12:00:00.000', '2026-02-01 12:00:00.000']);
    expect(
      await resultsOf(6, 'isp, package, kind, country, timezone, custom, local_time'),
    ).to.deep.equal([
      {
        isp: null,
        package: null,
        kind: null,
        country: null,
        timezone: null,
        custom: {},
        local_time: '2026-01-31 12:00:00',
      },
      {
        isp: null,
        package: null,
        kind: 'Whitebox',
        country: 'NP',
        timezone: 'Asia/Kolkata',
        custom: {},
        local_time: '2026-02-01 17:30:00',
      },
    ]);
  });

  it('custom values are the same in the map and in the JSON', async () => {
    const custom = { tier: 'gold', 'a "key"': "d'été \\ 7", empty: '' };
    await publish(6, [period(7, openStart, openEnd, { custom })]);
    await resultsAt(7, ['2026-01-15 12:00:00.000']);
    expect(
      await resultsOf(
        7,
        `custom,
        dictGet('agent_metadata', 'custom_json', agent_key, toDateTime(dtime)) AS json,
        JSONExtract(json, 'a "key"', 'Nullable(String)') AS odd,
        JSONExtract(json, 'empty', 'Nullable(String)') AS empty,
        JSONExtract(json, 'none', 'Nullable(String)') AS none`,
      ),
    ).to.deep.equal([
      { custom, json: JSON.stringify(custom), odd: custom['a "key"'], empty: '', none: null },
    ]);
  });

  it('an incomplete snapshot is not used', async () => {
    await publish(7, [period(8, openStart, openEnd, { package: 'A:whole' })]);
    await resultsAt(8, ['2026-01-15 12:00:00.000']);
    await schema.insert('agent_metadata_period', [
      { publication: 8, ...period(8, openStart, openEnd, { package: 'A:half' }) },
    ]);
    await schema.command('SYSTEM RELOAD DICTIONARY agent_metadata');
    expect(await resultsOf(8, 'package')).to.deep.equal([{ package: 'A:whole' }]);
  });

  function period(agentKey: number, validFrom: string, validTo: string, metadata: object): object {
    return {
      organisation_id: 1,
      agent_key: agentKey,
      valid_from: validFrom,
      valid_to: validTo,
      agent_id: `agent-${agentKey}`,
      unit_id: agentKey,
      kind: 'Whitebox',
      base: 'WB8',
      country: 'NP',
      ...metadata,
    };
  }

  async function publish(publication: number, periods: object[]): Promise<void> {
    const rows = periods.map((row) => ({ publication, ...row }));
    await schema.insert('agent_metadata_period', rows);
    await schema.insert('agent_metadata_publication', [
      { organisation_id: 1, publication, row_count: rows.length },
    ]);
    await schema.command('SYSTEM RELOAD DICTIONARY agent_metadata');
  }

  function resultsAt(agentKey: number, instants: string[]): Promise<void> {
    return schema.insert(
      'test_httpget',
      instants.map((dtime) => ({ organisation_id: 1, agent_key: agentKey, dtime, target: 'a' })),
    );
  }

  function resultsOf(agentKey: number, columns: string): Promise<object[]> {
    return schema.rows(
      `SELECT ${columns} FROM results_httpget WHERE agent_key = ${agentKey} ORDER BY dtime`,
    );
  }
});
