import { expect } from 'chai';
import { openPanel, type Changes, type Panel, type Row } from './open-panel.ts';

const january = { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' };

describe('splits and filters', () => {
  let panel: Panel;
  before(async () => {
    panel = await openPanel();
    await panel.agents(
      { agent: 1, isp: 'A', package: 'A:Basic', to: '2026-01-14 23:59:59' },
      { agent: 1, isp: 'B', package: 'B:Fibre', from: '2026-01-15 00:00:00' },
      { agent: 2, isp: 'A', custom: { tier: 'gold', floor: '12' }, custom_number_keys: ['floor'] },
      { agent: 3, isp: 'A', custom: { tier: '7', floor: '3.5' }, custom_number_keys: ['floor'] },
      { agent: 4, isp: null, custom: { tier: '7' }, custom_number_keys: ['tier'] },
    );
    await panel.results('httpget', [
      download(1, 1, '2026-01-14 10:00:00', 10),
      download(1, 1, '2026-01-16 10:00:00', 20),
      download(1, 2, '2026-01-16 10:00:00', 30, { threads: 4, target_group: 'eu' }),
      download(1, 3, '2026-01-16 10:00:00', 40),
      download(1, 4, '2026-01-16 10:00:00', 50),
      download(1, 5, '2026-01-16 10:00:00', 60),
      download(2, 2, '2026-01-16 10:00:00', 999),
    ]);
  });
  after(() => panel.close());

  const total = (changes: Changes) =>
    panel.query(1, { aggregation: 'total', time: january, ...changes });
  const by = async (...splits: readonly string[]) =>
    (await total({ splits })).map((row) => [...splits.map((name) => row[name]), row.metricValue]);
  const filtered = async (id: string, filterType: string, ...filterValues: readonly string[]) =>
    (
      await panel.query(1, {
        chartType: 'raw',
        time: january,
        filters: [{ id, filterType, filterValues }],
      })
    )
      .map(({ metricValue }) => metricValue as number)
      .sort((a, b) => a - b);

  it('numbers are numbers, units are texts, unknown values are null', async () => {
    expect(await by('threads')).to.deep.equal([
      [4, 30],
      [8, 36],
    ]);
    expect(await by('target_set')).to.deep.equal([
      ['eu', 30],
      [null, 36],
    ]);
    expect((await by('unit')).map(([unit]) => unit)).to.deep.equal(['1', '2', '3', '4', '5']);
  });

  it('a custom value keeps its type, number or text', async () => {
    expect(await by('tier')).to.deep.equal([
      [7, 50],
      ['7', 40],
      ['gold', 30],
      [null, 30],
    ]);
    expect(await by('custom.floor')).to.deep.equal([
      [3.5, 40],
      [12, 30],
      [null, 35],
    ]);
  });

  it('a key with special characters is the exact column name', async () => {
    const [row] = await total({ splits: ["it's `odd`"] });
    expect(Object.keys(row!).slice(0, 2)).to.deep.equal(["it's `odd`", 'metricValue']);
  });

  it('a custom key with the name of a column in the SQL causes no conflict', async () => {
    const names = ['mean', 'samples', 's0', 'x', 'bucket'];
    const query = { customKeys: names };
    for (const changes of [{}, { normalised: true }, { agent_agg: true }, { chartType: 'raw' }]) {
      const rows = await panel.query(
        1,
        { time: january, splits: ['mean', 's0', 'x'], ...changes },
        query,
      );
      expect(rows[0]).to.include({ mean: null, s0: null, x: null });
      expect(rows[0]!.metricValue).to.be.a('number');
    }
  });

  it('include keeps only matching results, exclude removes only them', async () => {
    expect(await filtered('isp', 'include', 'A')).to.deep.equal([10, 30, 40]);
    expect(await filtered('isp', 'exclude', 'A')).to.deep.equal([20, 50, 60]);
    expect(await filtered('threads', 'include', '4', '16')).to.deep.equal([30]);
    expect(await filtered('target_set', 'exclude', 'eu')).to.deep.equal([10, 20, 40, 50, 60]);
    expect(await filtered('tier', 'include', '7')).to.deep.equal([40, 50]);
    expect(await filtered('tier', 'exclude', '7')).to.deep.equal([10, 20, 30, 60]);
    expect(await filtered('agent', 'include', 'agent-3')).to.deep.equal([40]);
    expect(await filtered('unit', 'exclude', '1', '2')).to.deep.equal([40, 50, 60]);
  });

  it('results must match all filters', async () => {
    const filters = [
      { id: 'isp', filterType: 'include', filterValues: ['A', 'B'] },
      { id: 'package', filterType: 'exclude', filterValues: ['A:Basic'] },
      { id: 'threads', filterType: 1, filterValues: ['8'] },
    ];
    expect((await total({ filters }))[0]).to.include({ metricValue: 30, sampleCount: 2 });
  });

  it('raw points are ordered by time and agent, whatever the split', async () => {
    const rows = await panel.query(1, { chartType: 'raw', splits: ['isp'], time: january });
    expect(rows).to.deep.equal([
      { isp: 'A', metricValue: 10, dtime: '2026-01-14T10:00:00', agent: 'agent-1', unit: '1' },
      { isp: 'B', metricValue: 20, dtime: '2026-01-16T10:00:00', agent: 'agent-1', unit: '1' },
      { isp: 'A', metricValue: 30, dtime: '2026-01-16T10:00:00', agent: 'agent-2', unit: '2' },
      { isp: 'A', metricValue: 40, dtime: '2026-01-16T10:00:00', agent: 'agent-3', unit: '3' },
      { isp: null, metricValue: 50, dtime: '2026-01-16T10:00:00', agent: 'agent-4', unit: '4' },
      { isp: null, metricValue: 60, dtime: '2026-01-16T10:00:00', agent: 'agent-5', unit: '5' },
    ]);
  });

  it('SQL with inlined values returns the same points', async () => {
    const changes = {
      aggregation: 'daily',
      time: january,
      normalised: true,
      splits: ["it's `odd`", 'isp'],
      filters: [{ id: 'tier', filterType: 'exclude', filterValues: ["O'Brien \\ {p0:String}\n"] }],
    };
    const bound = await panel.query(1, changes);
    expect(bound).to.have.length(4);
    expect(await panel.queryInlined(1, changes)).to.deep.equal(bound);
  });
});

function download(org: number, agent: number, dtime: string, mbps: number, more: Row = {}): Row {
  return { org, agent, dtime, target: 't', bytes_sec: mbps * 125_000, threads: 8, ...more };
}
