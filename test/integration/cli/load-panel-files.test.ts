import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { usePanelLoads } from '../../support/use-panel-loads.ts';

const may = '2022-05-01/2022-05-31';

describe('netpanel load of other published panels', () => {
  const { panel, load, stored, agents } = usePanelLoads();

  it('a file with columns of the product states the period itself, or by --period', async () => {
    const own = 'unit_id,dtime,period_end,download_mean\n1,2022-05-01,2022-05-31,1250000\n';
    const withPeriod = await load('--test', 'panel', panel.file('units.csv', own));
    expect(withPeriod.code, withPeriod.stderr).to.equal(0);
    const plain = panel.file('plain.csv', 'unit_id,download_mean\n2,2500000\n');
    const missing = await load('--test', 'panel', plain);
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.include(
      'missing column: period_end (or use --period 2022-05-01/2022-05-31)',
    );
    const stated = await load('--test', 'panel', '--period', may, plain);
    expect(stated.code, stated.stderr).to.equal(0);
    const columns = 'unit_id, toString(dtime) AS dtime, period_end, download_mean, upload_mean';
    expect(await stored(columns)).to.deep.equal(
      [
        [1, 1_250_000],
        [2, 2_500_000],
      ].map(([unit_id, download_mean]) => ({
        unit_id,
        dtime: '2022-05-01 00:00:00.000',
        period_end: '2022-05-31',
        download_mean,
        upload_mean: null,
      })),
    );
  });

  it('a unit whose weight is blank in a year has none in it, whichever year is loaded first', async () => {
    const mapping = panel.file(
      'panel.json',
      JSON.stringify({
        test: 'panel',
        columns: { unit_id: 'unit', download_mean: 'mbps*125000' },
        agents: { isp: 'isp', 'custom.weight': 'weight' },
      }),
    );
    const header = 'unit,mbps,isp,weight';
    const years = {
      2013: panel.csv('2013.csv', header, '1,10,Lake,1', '2,40,Lake,3'),
      2014: panel.csv('2014.csv', header, '1,20,Lake,1', '2,50,,'),
    };
    const loadYear = (year: 2013 | 2014) =>
      load('--mapping', mapping, '--period', `${year}-11-01/${year}-11-30`, years[year]);
    const weighted = async () => {
      const api = new DataApi(panel.stack.queryUrl, panel.tenant.dataToken);
      const points = await api.points({
        ...{ ...plainRequest, metric: 'panelDownload', aggregation: 'monthly', prefilter: true },
        ...{ household: { statistic: 'mean' }, weight: 'custom.weight' },
        time: { from: '2013-11-01', to: '2014-11-30' },
      });
      return points.map(({ metricValue, agentCount }) => [metricValue, agentCount]);
    };
    const wanted = [
      [32.5, 2],
      [20, 1],
    ];
    await loadYear(2013);
    // Stored answers of 2013 must not survive.
    expect(await weighted()).to.deep.equal([[32.5, 2]]);
    const { stdout } = await loadYear(2014);
    expect(stdout).to.include(
      '2 units in the file: 0 added, metadata of 1 changed, 2 fields cleared, 0 packages added',
    );
    expect(await weighted()).to.deep.equal(wanted);

    await panel.newOrganisation();
    await loadYear(2014);
    expect(await weighted()).to.deep.equal([[20, 1]]);
    await loadYear(2013);
    expect(await weighted()).to.deep.equal(wanted);
    const again = await loadYear(2014);
    expect(again.stdout).to.include('metadata of 0 changed, 0 packages');
    expect(await weighted()).to.deep.equal(wanted);
  });

  it('a line of Ofcom’s panellist data has its weights as custom fields', async () => {
    const speeds = (direction: string, all: string) => [
      `Download speed (Mbit/s) ${direction}`,
      all,
    ];
    const cells = Object.fromEntries([
      ['Id', '1302'],
      ['Distance band', '2563-5000'],
      ['Urban/rural', 'Urban'],
      ['Market', '3'],
      ['ISP', 'Virgin'],
      ['Technology', 'Cable'],
      ['LLU', ''],
      ['Headline speed', '60'],
      speeds('24 hrs', '58.123'),
      speeds('Max', '62.4'),
      speeds('8-10pm weekday', '55.01'),
      ['Upload speed (Mbit/s)24-hour', '3.02'],
      ['Upload speed (Mbit/s)Max', '3.1'],
      ['Upload speed (Mbit/s)8-10pm weekday', ''],
      ['Latency (ms)24-hour', '18.25'],
      ['Latency (ms)8-10pm weekday', '19.5'],
      ['isp weights', '0.875'],
      ['nat weights', '1.25'],
    ]) as Record<string, string>;
    const path = panel.csv(
      'units.csv',
      Object.keys(cells).join(','),
      Object.values(cells).join(','),
    );
    const { code, stderr } = await load(
      '--preset',
      'ofcom',
      '--period',
      '2014-11-01/2014-11-30',
      path,
    );
    expect(code, stderr).to.equal(0);
    expect(
      await stored('toString(dtime) AS dtime, download_mean, busy_upload_mean, busy_latency_mean'),
    ).to.deep.equal([
      {
        dtime: '2014-11-01 00:00:00.000',
        download_mean: 7265375,
        busy_upload_mean: null,
        busy_latency_mean: 19500,
      },
    ]);
    const [agent] = await agents();
    expect(agent).to.deep.include({ isp: 'Virgin', tier: '60', timezone: 'Europe/London' });
    expect(agent?.custom).to.deep.include({
      advertised_download_mbps: 60,
      weight: 1.25,
      weight_isp: 0.875,
      market: 3,
    });
  });
});
