import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

/** Six households of Northwave with 10 Mbit/s, two of Breeze with 40. */
const households = [
  ['a1', 'Northwave', 'north'],
  ['a2', 'Northwave', 'north'],
  ['a3', 'Northwave', 'north'],
  ['a4', 'Northwave', 'north'],
  ['a5', 'Northwave', 'south'],
  ['a6', 'Northwave', 'south'],
  ['b1', 'Breeze', 'north'],
  ['b2', 'Breeze', 'south'],
] as const;

interface Report {
  readonly households: number;
  readonly leftOut: number;
  readonly effectiveHouseholds: { readonly before: number; readonly after: number };
  readonly margins: readonly {
    readonly fields: readonly string[];
    readonly cells: readonly Readonly<Record<'published' | 'before' | 'after', number>>[];
  }[];
  readonly emptyCells: readonly string[];
  readonly changedAgents: number;
}

describe('netpanel weights', () => {
  const own = useLoadFolder();
  let api: DataApi;

  beforeEach(async () => {
    const { stack, tenant } = own;
    api = new DataApi(stack.queryUrl, tenant.dataToken);
    const rows = households.map(([id, isp, region]) => `${id},${isp},${region}`);
    await importAgents('agent_id,isp,custom.region', ...rows);
    const agents = await stack
      .database('agents')
      .where({ organisation_id: tenant.organisationId })
      .select<{ id: number; agent_id: string }[]>('id', 'agent_id');
    await addDownloads(
      stack.clickhouse,
      tenant.organisationId,
      agents.map(({ id, agent_id: agentId }) => ({
        agentKey: id,
        agentId,
        dtime: '2026-10-01 10:00:00',
        mbps: agentId.startsWith('a') ? 10 : 40,
      })),
    );
  });

  const importAgents = (...lines: readonly string[]) => {
    const path = own.csv('agents.csv', ...lines);
    return netpanelOk(own.stack, 'agents', 'import', '--org', own.tenant.name, path);
  };

  const rakeArgs = (lines: readonly string[], ...more: readonly string[]) => [
    ...['weights', 'rake', '--org', own.tenant.name, '--as', 'custom.weight'],
    ...['--margins', own.csv('margins.csv', ...lines), '--from', '2026-09-01', ...more],
  ];
  const rake = (lines: readonly string[], ...more: readonly string[]) =>
    netpanel(own.stack, ...rakeArgs(lines, ...more));
  const raked = async (lines: readonly string[], ...more: readonly string[]) =>
    JSON.parse(await netpanelOk(own.stack, ...rakeArgs(lines, '--json', ...more))) as Report;

  /** The weight of each agent in October. */
  async function weights(): Promise<Record<string, unknown>> {
    const { rows } = await own.stack.database.raw<{ rows: { id: string; weight: unknown }[] }>(
      `select a.agent_id as id, m.custom -> 'weight' as weight
       from agents a join agent_metadata m on m.agent_key = a.id
       where a.organisation_id = ? and m.superseded_at is null
         and m.valid @> timestamptz '2026-10-01 00:00Z' order by 1`,
      [own.tenant.organisationId],
    );
    return Object.fromEntries(rows.map(({ id, weight }) => [id, weight]));
  }

  async function weightedMean(more: object = {}): Promise<unknown> {
    const time = { from: '2026-10-01', to: '2026-10-02' };
    const weighted = { household: { statistic: 'mean' }, weight: 'custom.weight', ...more };
    const [point] = await api.points({ ...plainRequest, aggregation: 'total', time, ...weighted });
    return point?.metricValue;
  }

  const halves = ['isp,total', 'Northwave,1250.5', 'Breeze,1250.5'];

  it('weights households to a margin: a request gives the weighted mean', async () => {
    const report = await raked(halves);
    expect(report).to.deep.include({ households: 8, leftOut: 0, changedAgents: 8, emptyCells: [] });
    expect(report.effectiveHouseholds.before).to.equal(8);
    // Six of 2/3 and two of 2: 8² / (6 · 4/9 + 2 · 4).
    expect(report.effectiveHouseholds.after).to.be.closeTo(6, 1e-9);
    expect(await weights()).to.deep.include({ a1: 0.666666666667, b1: 2 });
    expect(await weightedMean()).to.be.closeTo(25, 1e-9);
    expect(await raked(halves)).to.include({ changedAgents: 0 });
  });

  it('fits margins of one and of two fields, and prints a table', async () => {
    const { code, stdout } = await rake([
      'isp,custom.region,total',
      'Northwave,,60',
      'Breeze,,40',
      ',north,0.3',
      ',south,0.7',
    ]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/isp +Northwave +6 +60 % +75 % +60 %/);
    expect(stdout).to.match(/custom\.region +north +5 +30 % +62\.5 % +30 %/);
    const stored = (await weights()) as Record<string, number>;
    const sum = (ids: string) => ids.split(' ').reduce((all, id) => all + stored[id]!, 0);
    expect(sum('b1 b2') / 8).to.be.closeTo(0.4, 1e-9);
    expect(sum('a1 a2 a3 a4 b1') / 8).to.be.closeTo(0.3, 1e-9);
    // The odds ratio of equal weights: raking changes no interaction.
    expect((stored.a1! * stored.b2!) / (stored.a5! * stored.b1!)).to.be.closeTo(1, 1e-8);

    const crossed = ['custom.region,isp,total', 'north,Northwave,1', 'south,Northwave,2'];
    await raked([...crossed, 'north,Breeze,3', 'south,Breeze,4'], '--bound', '50');
    expect(await weights()).to.deep.equal({
      ...Object.fromEntries(['a1', 'a2', 'a3', 'a4'].map((id) => [id, 0.2])),
      ...{ a5: 0.8, a6: 0.8, b1: 2.4, b2: 3.2 },
    });
  });

  it('writes weights from a date on: knownAt and earlier results have the old ones', async () => {
    await raked(halves);
    const { now } = (
      await own.stack.database.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now')
    ).rows[0];
    await raked(['isp,total', 'Northwave,9', 'Breeze,1']);
    expect(await weightedMean()).to.be.closeTo(13, 1e-9);
    expect(await weightedMean({ knownAt: now.toISOString() })).to.be.closeTo(25, 1e-9);

    await raked(halves, '--from', '2026-10-15');
    expect(await weightedMean()).to.be.closeTo(13, 1e-9);
  });

  it('reads margins as a spreadsheet writes them: semicolons, in Latin-1, blank lines, spaces', async () => {
    await importAgents('agent_id,isp', 'b1,Blåtand', 'b2,Blåtand');
    const text = '\r\n isp ;total \r\nNorthwave;50\r\n\r\nBlåtand; 50\r\n';
    const path = own.file('latin1.csv', Buffer.from(text, 'latin1'));
    const { stdout } = await netpanel(
      own.stack,
      ...['weights', 'rake', '--org', own.tenant.name, '--as', 'custom.weight'],
      ...['--margins', path, '--dry-run'],
    );
    expect(stdout).to.match(/isp +Blåtand +2 +50 % +25 % +50 %/);
  });

  it('marks the field in listings and records the change', async () => {
    await raked(halves);
    for (const path of ['/splits', '/filters']) {
      const { body } = await api.get(path);
      const marked = (body.data as { id: string; weight: boolean }[]).filter((one) => one.weight);
      expect(marked.map(({ id }) => id)).to.deep.equal(['weight']);
    }
    const args = ['audit', '--org', own.tenant.name, '--action', 'weights.rake', '--json'];
    const [event] = JSON.parse(await netpanelOk(own.stack, ...args)) as { details: object }[];
    expect(JSON.stringify(event)).to.contain('custom.weight').and.to.contain('margins.csv');
  });

  it('--dry-run prints the same and stores nothing', async () => {
    const dry = await raked(halves, '--dry-run');
    expect(dry.changedAgents).to.equal(0);
    expect(dry.effectiveHouseholds.after).to.be.closeTo(6, 1e-9);
    expect(await weights()).to.include({ a1: null, b1: null });
    const { stdout } = await rake(halves, '--dry-run');
    expect(stdout).to.contain('Dry run: nothing was stored');
  });

  it('names cells without households', async () => {
    const report = await raked([...halves, 'Fibreless,100']);
    expect(report.emptyCells).to.deep.equal(['isp = "Fibreless"']);
    expect(await weightedMean()).to.be.closeTo(25, 1e-9);
  });

  it('refuses households without a row, unless they are to be left out: then they lose an old weight', async () => {
    await raked(halves);
    const only = ['isp,custom.region,total', 'Northwave,,1', ',north,1', ',south,1'];
    const refused = await rake(only);
    expect(refused.code).to.equal(2);
    expect(refused.stderr)
      .to.contain('isp = "Breeze" (2), margin isp')
      .and.to.contain('--leave-out');
    expect(await weights()).to.include({ b1: 2 });
    expect(await raked(only, '--leave-out')).to.include({ households: 6, leftOut: 2 });
    expect(await weights()).to.include({ b1: null, b2: null, a1: 0.75, a5: 1.5 });
  });

  it('refuses margins that contradict each other or do not hold, and stores nothing', async () => {
    const two = (north: number) => [
      'isp,custom.region,total',
      ...['Northwave,,60', 'Breeze,,40', 'Northwave,north,30', `Northwave,south,${north}`],
      ...['Breeze,north,20', 'Breeze,south,20'],
    ];
    expect(await problem(two(35))).to.match(
      /The margins isp and isp × custom\.region contradict each other: isp = "Northwave" has 60 % of the first and 61\.9 % of the second/,
    );
    expect((await raked(two(30.5))).households).to.equal(8);
    const narrow = ['isp,total', 'Northwave,1', 'Breeze,9'];
    expect(await problem(narrow, '--bound', '2')).to.match(
      /The margin isp does not hold after \d+ rounds: isp = "Breeze" has 50 % instead of 90 %/,
    );
  });

  it('refuses a bad file with the reason, and stores nothing', async () => {
    const wrong: readonly (readonly [RegExp, ...string[]])[] = [
      [/Unknown field "ips"\. Did you mean isp\?/, 'ips,total', 'a,1'],
      [/Unknown field "region"\. Did you mean custom\.region\?/, 'region,total', 'north,1'],
      [/Unknown field "custom\.regoin"\. Did you mean custom\.region\?/, 'custom.regoin,total'],
      [/has no column total/, 'isp,count', 'Northwave,1'],
      [/Row 2: total must be a number of at least 0, .* not "-1"/, 'isp,total', 'Northwave,-1'],
      [/Row 3: total .* not "many"/, 'isp,total', 'Northwave,1', 'Breeze,many'],
      [/Row 2: total .* not ""/, 'isp,total', 'Northwave,'],
      [/Row 2 has no value of a field/, 'isp,total', ',1'],
      [/Row 2 has 3 columns, not 2/, 'isp,total', 'Northwave,1,2'],
      [/Rows 2 and 3 are both about isp = "Northwave"/, 'isp,total', 'Northwave,1', 'Northwave,2'],
      [/All totals of isp are 0/, 'isp,total', 'Northwave,0'],
      [/The totals of isp are too large/, 'isp,total', 'Northwave,1e308', 'Breeze,1e308'],
      [/has no column total. It has: isp, Total/, 'isp,Total', 'Northwave,1'],
      [/has only a header/, 'isp,total'],
      [/The file is empty/],
    ];
    for (const [reason, ...lines] of wrong) expect(await problem(lines)).to.match(reason);
    const arguments_: readonly (readonly [RegExp, ...string[]])[] = [
      [/Unknown organisation "nobody"/, '--org', 'nobody'],
      [/--from 2999-01-01 is in the future/, '--from', '2999-01-01'],
      [/--from must be a date/, '--from', 'soon'],
      [/--bound must be a number above 1/, '--bound', '1'],
      [/--as must be a custom field/, '--as', 'weight'],
      [/custom\.region: |custom\.region is a field of the margins/, '--as', 'custom.region'],
      [/missing\.csv cannot be read/, '--margins', 'missing.csv'],
    ];
    const regions = ['custom.region,total', 'north,1', 'south,1'];
    for (const [reason, ...more] of arguments_)
      expect(await problem(regions, ...more)).to.match(reason);
  });

  /** The message; it must leave the weights as they were. */
  async function problem(lines: readonly string[], ...more: readonly string[]): Promise<string> {
    const before = await weights();
    const { code, stderr } = await rake(lines, ...more);
    expect(code, stderr).to.equal(2);
    expect(await weights()).to.deep.equal(before);
    return stderr;
  }
});
