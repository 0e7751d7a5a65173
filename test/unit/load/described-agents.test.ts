import { expect } from 'chai';
import { agentsSection } from '../../../services/load/agents/agents-section.ts';
import { DescribedAgents } from '../../../services/load/agents/described-agents.ts';
import {
  parsePeriod,
  periodOf,
  periodStart,
} from '../../../services/load/agents/period-columns.ts';
import { compileMapping } from '../../../services/load/mapping/compile-mapping.ts';

const period = parsePeriod('2022-05-01/2022-05-31');

const noMapping = { file: undefined, columns: {}, agents: {} };

describe('the period of a file', () => {
  it('begins at the local midnight of the first day, in UTC without a time zone', () => {
    expect(periodStart(period, 'Australia/Sydney').toISOString()).to.equal(
      '2022-04-30T14:00:00.000Z',
    );
    expect(periodStart(period, 'America/New_York').toISOString()).to.equal(
      '2022-05-01T04:00:00.000Z',
    );
    expect(periodStart(period, null).toISOString()).to.equal('2022-05-01T00:00:00.000Z');
  });

  it('is the time of each row, by the time zone that the mapping gives', () => {
    const file = {
      columns: { unit_id: 'id' },
      values: { zones: { NSW: 'Australia/Sydney', NY: 'America/New_York' } },
      agents: { timezone: 'lookup(state, zones)' },
    };
    const filled = periodOf(period, { file, columns: {}, agents: {} }, 'panel')!;
    const values = { ...file.values, ...filled.values };
    const { targets, apply } = compileMapping({ columns: filled.columns, values }, ['id', 'state']);
    expect(targets.map(({ name }) => name)).to.deep.equal(['dtime', 'period_end']);
    expect(apply({ row: 1, cells: ['1', 'NSW'] })).to.deep.equal([
      '2022-04-30 14:00:00',
      '2022-05-31',
    ]);
    expect(apply({ row: 1, cells: ['1', 'NY'] })).to.deep.equal([
      '2022-05-01 04:00:00',
      '2022-05-31',
    ]);
    expect(apply({ row: 1, cells: ['1', ''] })).to.deep.equal([
      '2022-05-01 00:00:00',
      '2022-05-31',
    ]);
    expect(Object.keys(periodOf(period, noMapping, 'ping')!.columns)).to.deep.equal(['dtime']);
  });
});

describe('the section agents of a mapping', () => {
  it('has the columns of netpanel agents import', () => {
    expect(agentsSection(noMapping)).to.equal(undefined);
    const withFile = (agents: unknown) => ({ ...noMapping, file: { columns: {}, agents } });
    expect(() => agentsSection(withFile({ isps: 'ISP' }))).to.throw(
      'agents has unknown columns: isps. Allowed: agent_id',
    );
    expect(() => agentsSection(withFile(['isp']))).to.throw('agents must be an object such as');
    const both = { ...withFile({ isp: 'a', country: 'b' }), agents: { isp: 'c' } };
    expect(agentsSection(both)).to.deep.equal({ isp: 'c', country: 'b' });
  });

  const read = async (...cells: readonly (readonly string[])[]) => {
    const agents = new DescribedAgents({
      columns: {
        unit_id: 'id',
        dtime: "lookup(zone, {'Europe/London': '2022-04-30 23:00:00'}, '2022-05-01')",
        isp: 'ISP',
        package: "concat(ISP, ':', plan)",
        timezone: 'zone',
        'custom.speed': "number(part(plan, '/', 1))",
      },
    });
    const reader = agents.reader('units.csv');
    reader.onColumns(['id', 'ISP', 'plan', 'zone'], ',');
    await reader.onRows({
      rows: cells.map((own, i) => ({ line: i + 2, row: i + 1, cells: own, text: undefined })),
      unreadable: [],
    });
    return agents;
  };

  it('gives one record per agent, that of its first row; a blank gives no value', async () => {
    const agents = await read(
      ['1', 'Acme', '50/20', 'Europe/London'],
      ['2', '', 'Wireless', ''],
      ['1', 'Other', '25/5', ''],
      ['', 'Acme', '50/20', ''],
      ['x', 'Acme', '50/20', ''],
    );
    expect(agents.fromUtc?.toISOString()).to.equal('2022-04-30T23:00:00.000Z');
    expect(
      agents
        .records()
        .map(({ unitId, isp, packageName, timezone, custom }) => [
          unitId,
          isp,
          packageName,
          timezone,
          custom,
        ]),
    ).to.deep.equal([
      [1, 'Acme', '50/20', 'Europe/London', { speed: 50 }],
      [2, null, null, null, { speed: null }],
    ]);
  });

  it('names the lines whose metadata is invalid', async () => {
    const agents = await read(['1', 'Acme', '50/20', 'Mars/Base'], ['-2', 'Acme', '50/20', '']);
    expect(() => agents.records()).to.throw(
      'units.csv, line 2: Mars/Base is not a valid IANA timezone\n' +
        'units.csv, line 3: unit_id must be a whole number of at least 0\nNothing was loaded.',
    );
  });
});
