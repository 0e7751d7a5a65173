import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { spawnNetpanel } from '../../support/netpanel.ts';
import { ofcomFile, type OfcomYear } from '../../support/ofcom-file.ts';
import { usePanelLoads } from '../../support/use-panel-loads.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';
import { runWalkThrough } from '../../support/walk-through.ts';

const ofcomDir = process.env.OFCOM_DATA_DIR;

// The data is not part of the repository: .ci/run finds it where it lies beside the checkout.
(ofcomDir === undefined ? describe.skip : describe)('Ofcom’s releases', () => {
  const folder = ofcomDir ?? '';
  const { panel, load } = usePanelLoads();

  it('of November 2013 gives the published figures, with an id per row', async () => {
    const path = join(folder, 'panel-november-2013.csv');
    const { code, stdout, stderr } = await load('--preset', 'ofcom-2013', path);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('2390 rows read: 2390 rows loaded');
    const time = { from: '2013-11-01', to: '2013-11-30' };
    expect(await mean('panelDownload', 'custom.weight', time)).to.deep.equal([17.8, 985]);
    const fast = {
      id: 'custom.advertised_download_mbps',
      filterType: 'include',
      filterValues: ['30', '40', '45', '60', '80', '100', '120', '330'],
    };
    expect(await mean('panelDownload', 'custom.weight', time, [fast])).to.deep.equal([47, 361]);
  });

  it('of November 2015 gives the published figures; households with weight 0 do not count', async () => {
    const { code, stderr } = await load(
      '--preset',
      'ofcom-2015',
      join(folder, 'panel-november-2015.csv'),
    );
    expect(code, stderr).to.equal(0);
    const time = { from: '2015-11-01', to: '2015-11-30' };
    expect(await mean('panelDownload', 'custom.weight', time)).to.deep.equal([28.9, 1639]);
    expect(await mean('panelUpload', 'custom.weight', time)).to.deep.equal([3.7, 1639]);
    const virgin = { id: 'package', filterType: 'include', filterValues: ['Virgin:Virgin 200'] };
    expect(await mean('panelDownload', 'custom.weight_isp', time, [virgin])).to.deep.equal([
      174, 141,
    ]);
    expect(await mean('panelNetflixUhdBusy', 'custom.weight', time)).to.deep.equal([50.8, 1136]);
  });

  it('are loaded and queried by the commands of docs/panels.md as they are written', async () => {
    const { outputs, documented } = await runWalkThrough(panel.stack, {
      heading: 'Walk-through: Ofcom, November 2015',
      organisation: 'ofcom',
      data: { name: 'ofcom', folder },
    });
    expect(documented).to.have.length(2);
    expect(outputs).to.deep.equal(documented);
  });

  /** The weighted mean with one decimal, and the number of households. */
  async function mean(
    metric: string,
    weight: string,
    time: object,
    filters: readonly object[] = [],
  ) {
    await waitUntilPublished(panel.stack.database, panel.tenant.organisationId);
    const api = new DataApi(panel.stack.queryUrl, panel.tenant.dataToken);
    const { status, body } = await api.post('/metric_data', {
      metric,
      chartType: 'aggregate',
      aggregation: 'total',
      normalised: false,
      prefilter: true,
      household: { statistic: 'mean' },
      weight,
      filters,
      time,
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    const [{ metricData }] = body.data as [{ metricData: [Record<string, number>] }];
    const [{ metricValue, agentCount }] = metricData;
    return [Math.round(metricValue! * 10) / 10, agentCount];
  }
});

describe('netpanel load of files like Ofcom’s releases', () => {
  const { panel, load, stored, agents } = usePanelLoads();
  const loadYear = (
    year: OfcomYear,
    rows: Parameters<typeof ofcomFile>[1],
    ...args: readonly string[]
  ) => load('--preset', `ofcom-${year}`, ...args, panel.file('ofcom.csv', ofcomFile(year, rows)));

  it('2013: repeated ids become one agent per row; packet loss is written as a percentage', async () => {
    const speed = { 'Download.speed..Mbit.s..24.hour': 8, 'Packet.loss....24.hour': '0.010%' };
    const { code, stderr } = await loadYear(2013, [
      { ID: 'FTTC', ISP: 'FTTC', 'Headline.speed': '15-fibre', 'Nat.weights': 0.5, ...speed },
      { ID: 'FTTC', ISP: 'BT', 'Headline.speed': 40, 'DNS.failure....24.hour': 0.001, ...speed },
    ]);
    expect(code, stderr).to.equal(0);
    const columns = 'agent_id, download_mean, packet_loss, dns_failure, period_end';
    const row = { download_mean: 1_000_000, packet_loss: 0.01, period_end: '2013-11-30' };
    expect(await stored(columns)).to.deep.equal([
      { ...row, agent_id: 'ofcom-2013-1', dns_failure: null },
      { ...row, agent_id: 'ofcom-2013-2', dns_failure: 0.1 },
    ]);
    expect(
      (await agents()).map(({ isp, tier, custom }) => [isp, tier, custom]),
    ).to.have.deep.members([
      ['FTTC', '15-fibre', { weight: 0.5 }],
      ['BT', '40', { advertised_download_mbps: 40 }],
    ]);
  });

  it('2014: a file has its columns as published or with dots', async () => {
    const path = panel.file(
      'dots.csv',
      ofcomFile(2014, [{ Id: 7, ISP: 'Sky', 'Jitter.down..ms.24.hour': 0.5, 'nat.weights': 1 }]),
    );
    const { code, stderr } = await load('--preset', 'ofcom', path);
    expect(code, stderr).to.equal(0);
    expect(await stored('unit_id, jitter_down_mean')).to.deep.equal([
      { unit_id: 7, jitter_down_mean: 500 },
    ]);
  });

  it('2015: #NULL! is blank, and shares of videos are in percent', async () => {
    const { code, stderr } = await loadYear(2015, [
      {
        unit_id: 5,
        Pack_number: 'Talk Talk 80',
        WT_national: 0,
        WT_ISP: 1.09,
        LLUvsNon: 'Y',
        Dist_ADSL1: '#NULL!',
        DL24hrmean: 64,
        YouTubeUHD24hr: '#NULL!',
        NetflixUHD24hr: 0.25,
        NetflixStartupDelayPeak: 469.5,
        Disconnections: 0.033,
      },
    ]);
    expect(code, stderr).to.equal(0);
    const columns =
      'youtube_uhd, netflix_uhd, busy_netflix_startup, daily_outages, toString(dtime) AS dtime, masked';
    expect(await stored(columns)).to.deep.equal([
      {
        youtube_uhd: null,
        netflix_uhd: 25,
        busy_netflix_startup: 469_500,
        daily_outages: 0.033,
        dtime: '2015-11-01 00:00:00.000',
        masked: '',
      },
    ]);
    const [agent] = await agents();
    expect(agent).to.deep.include({ isp: 'Talk Talk', tier: 'Talk Talk 80' });
    expect(agent?.custom).to.deep.equal({
      advertised_download_mbps: 80,
      llu: 'Y',
      weight: 0,
      weight_isp: 1.09,
    });
  });

  it('2021: hour bands, latency under load, and the three weights', async () => {
    const { code, stderr } = await loadYear(2021, [
      {
        unit_id: 9,
        ISP: 'BT',
        'PACKAGE (download by upload)': '36x10',
        'Download - 6am-12am': 30,
        'Download - 23pm-00midnight': 31,
        'Jitter-downtream - peak': 1.5,
        median_ping_ms_with_downstream_load: 40,
        national_weight: 1.5,
        rural_weight: 0.5,
        isp_weight: 1,
      },
    ]);
    expect(code, stderr).to.equal(0);
    const columns =
      'download_6to12, download_23to24, busy_jitter_down_mean, latency_download_median, period_end';
    expect(await stored(columns)).to.deep.equal([
      {
        download_6to12: 3_750_000,
        download_23to24: 3_875_000,
        busy_jitter_down_mean: 1500,
        latency_download_median: 40_000,
        period_end: '2021-03-31',
      },
    ]);
    expect((await agents())[0]?.custom).to.deep.equal({
      advertised_download_mbps: 36,
      weight: 1.5,
      weight_rural: 0.5,
      weight_isp: 1,
    });
  });

  it('2023: blank download speeds of the fastest products are masked, others are missing', async () => {
    const { code, stderr } = await loadYear(2023, [
      { isp: 'BT', package_for_weighting: 'BT 1000', 'Upload - 24 (ave)': 110, national_weight: 1 },
      { isp: 'BT', package_for_weighting: 'BT 550', 'Download - 24 (ave)': 540 },
      { isp: 'BT', package_for_weighting: 'BT 80' },
    ]);
    expect(code, stderr).to.equal(0);
    const rows = await stored('agent_id, download_mean, upload_mean, masked');
    const words = rows.map(({ masked }) => String(masked).split(' '));
    expect(rows.map(({ agent_id, download_mean }) => [agent_id, download_mean])).to.deep.equal([
      ['ofcom-2023-1', null],
      ['ofcom-2023-2', 67_500_000],
      ['ofcom-2023-3', null],
    ]);
    expect(words[0]).to.have.length(15);
    expect(words[0]).to.include.members([
      ...['download_mean:above', 'busy_download_mean:above', 'download_18to19:above'],
    ]);
    expect(words[1]).to.have.length(14).and.not.include('download_mean:above');
    expect(words[2]).to.deep.equal(['']);
  });

  it('2023: the weighted median counts households with masked speeds as the fastest', async () => {
    const household = (package_for_weighting: string, mbps: number | '', weight: number) => ({
      ...{ isp: 'BT', package_for_weighting, 'Download - 24 (ave)': mbps, national_weight: weight },
    });
    const { code, stderr } = await loadYear(2023, [
      household('BT 80', 60, 1),
      household('BT 80', 70, 2),
      household('BT 550', 540, 1),
      household('BT 1000', '', 3),
      // Missing, not masked.
      household('BT 80', '', 5),
    ]);
    expect(code, stderr).to.equal(0);
    await waitUntilPublished(panel.stack.database, panel.tenant.organisationId);
    const api = new DataApi(panel.stack.queryUrl, panel.tenant.dataToken);
    const [point] = await api.points({
      ...{ metric: 'panelDownload', method: 'ofcom-2023', shares: [300, 600] },
      ...{ chartType: 'aggregate', aggregation: 'total', normalised: false, prefilter: true },
      time: { from: '2023-03-01', to: '2023-03-31' },
    });
    // Of the weight 7, 3 are up to 70 and 4 up to 540. Without the masked household the median would be 70.
    expect(point).to.include({ agentCount: 4, maskedCount: 1, median: 540, metricValue: null });
    const { shares } = point as { shares: Record<string, number> };
    expect(shares[300]).to.be.closeTo(4 / 7, 1e-9);
    expect(shares[600]).to.be.closeTo(3 / 7, 1e-9);
  });

  it('a file of another year names the missing columns and the preset that fits', async () => {
    const { code, stderr } = await load(
      ...['--preset', 'ofcom-2021', panel.file('ofcom.csv', ofcomFile(2023, []))],
    );
    expect(code).to.equal(2);
    expect(stderr).to.include(
      'the file does not fit the preset ofcom-2021. Missing columns: "unit_id"',
    );
    expect(stderr)
      .to.include('"iPlayerUHD24hr"')
      .and.include('Its columns fit --preset ofcom-2023.');
    expect(await stored('unit_id')).to.deep.equal([]);
  });

  for (const weight of ['-0.5', 'much', '1,19']) {
    it(`the weight ${weight} is refused, and nothing is stored`, async () => {
      const { code, stderr } = await loadYear(2015, [
        { unit_id: 1, Pack_number: 'BT 40', WT_national: 1 },
        { unit_id: 2, Pack_number: 'BT 40', WT_ISP: weight.includes(',') ? `"${weight}"` : weight },
      ]);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include('ofcom.csv, line 3: weight(WT_ISP) must be a number of at least 0');
      expect(stderr).to.include(`but WT_ISP is "${weight}"`);
      expect(await stored('unit_id')).to.deep.equal([]);
      expect(await agents()).to.deep.equal([]);
    });
  }

  it('the period is that of the preset', async () => {
    const row = { unit_id: 1, Pack_number: 'BT 40' };
    const other = await loadYear(2015, [row], '--period', '2014-11-01/2014-11-30');
    expect(other.code).to.equal(2);
    expect(other.stderr).to.include(
      '--period 2014-11-01/2014-11-30 does not match the preset ofcom-2015, which is of 2015-11-01/2015-11-30',
    );
    expect(await stored('unit_id')).to.deep.equal([]);
    const same = await loadYear(2015, [row], '--period', '2015-11-01/2015-11-30');
    expect(same.code, same.stderr).to.equal(0);
  });

  it('marks are put together; one that is neither above nor below is refused with its line', async () => {
    const header =
      'unit_id,dtime,period_end,download_mean,download_mean_masked,latency_mean_masked';
    const day = '2023-03-01,2023-03-31';
    const good = panel.csv('good.csv', header, `1,${day},12500000,above,`, `2,${day},,Above,below`);
    const { code, stderr } = await load('--test', 'panel', good);
    expect(code, stderr).to.equal(0);
    const wanted = [
      { unit_id: 1, download_mean: 12_500_000, masked: 'download_mean:above' },
      { unit_id: 2, download_mean: null, masked: 'download_mean:above latency_mean:below' },
    ];
    expect(await stored('unit_id, download_mean, masked')).to.deep.equal(wanted);
    const bad = panel.csv('bad.csv', header, `3,${day},1,,`, `4,${day},1,over,`);
    const own = await load('--test', 'panel', bad);
    const maps = ['--map', 'unit_id=unit_id', '--map', 'download_mean_masked=download_mean_masked'];
    const mapped = await load(
      ...['--test', 'panel', '--period', '2023-03-01/2023-03-31'],
      ...maps,
      bad,
    );
    for (const refused of [own, mapped]) {
      expect(refused.code, refused.stderr).to.equal(2);
      expect(refused.stderr).to.include(
        'bad.csv, line 3: download_mean_masked must be above, below or',
      );
      expect(refused.stderr).to.include('but download_mean_masked is "over"');
    }
    expect(await stored('unit_id, download_mean, masked')).to.deep.equal(wanted);
  });

  it('marks of standard input are checked before anything is loaded, and good ones load', async () => {
    const header = 'unit_id,dtime,period_end,download_mean,download_mean_masked';
    const send = async (...marks: readonly string[]) => {
      const rows = marks.map((mark, i) => `${i + 1},2023-03-01,2023-03-31,12500000,${mark}`);
      const args = ['load', '--org', panel.tenant.name, '--test', 'panel'];
      const child = spawnNetpanel(panel.stack, ...args, '--rejects', panel.folder, '-');
      child.stdin.end([header, ...rows, ''].join('\n'));
      const closed = new Promise((resolve) => child.once('close', resolve));
      const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
      return { code: await closed, stdout, stderr };
    };
    const refused = await send('above', 'over', '');
    expect(refused.code, refused.stderr).to.equal(2);
    expect(refused.stderr).to.include(
      'stdin, line 3: download_mean_masked must be above, below or blank',
    );
    expect(refused.stderr).to.include('Nothing was loaded.');
    expect(await stored('unit_id')).to.deep.equal([]);
    const { code, stdout, stderr } = await send('above', 'below', '');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('3 rows read: 3 rows loaded');
    const masked = ['download_mean:above', 'download_mean:below', ''];
    expect(await stored('unit_id, masked')).to.deep.equal(
      masked.map((words, i) => ({ unit_id: i + 1, masked: words })),
    );
  });

  it('the words of the column masked are checked', async () => {
    const header = 'unit_id,dtime,period_end,masked';
    const words = [
      'download_mean:over',
      'x:above',
      'latency_mean:above latency_mean:below',
      'period_end:above',
    ];
    const rows = words.map((word, i) => `${i + 2},2023-03-01,2023-03-31,${word}`);
    const path = panel.csv(
      'words.csv',
      header,
      '1,2023-03-01,2023-03-31,download_mean:above',
      ...rows,
    );
    const { code, stdout } = await load('--test', 'panel', path);
    expect(code).to.equal(0);
    expect(stdout).to.include('5 rows read: 1 rows loaded, 4 rejected');
    expect(stdout).to.include('masked must be words such as download_mean:above');
  });
});
