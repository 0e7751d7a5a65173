import { expect } from 'chai';
import { acccFile, type AcccUnit } from '../../support/accc-file.ts';
import { DataApi } from '../../support/data-api.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { usePanelLoads } from '../../support/use-panel-loads.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const may = '2022-05-01/2022-05-31';

describe('netpanel load of the ACCC’s units', () => {
  const { panel, load, stored, agents } = usePanelLoads();
  const loadAccc = (units: readonly AcccUnit[], ...args: readonly string[]) =>
    load('--preset', 'accc', ...args, panel.file('units.csv', acccFile(units)));

  it('each line is a result in the units of the product, at the local start of the period', async () => {
    const { code, stdout, stderr } = await loadAccc(
      [
        { unit: 1, download: '43.78', state: 'NSW' },
        { unit: 2, download: '0.01', busyDownload: '', state: 'WA', outages: '' },
      ],
      ...['--period', may],
    );
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include(
      '2 units in the file: 2 added, metadata of 2 changed, 1 packages added',
    );
    expect(stdout).to.include('units.csv: 2 rows read: 2 rows loaded');
    expect(stdout).to.match(/ignored columns: gateway_mac$/m);
    expect(
      await stored(
        'unit_id, toString(dtime) AS dtime, period_end, download_mean, busy_download_mean, latency_mean, daily_outages',
      ),
    ).to.deep.equal([
      {
        unit_id: 1,
        dtime: '2022-04-30 14:00:00.000',
        period_end: '2022-05-31',
        download_mean: 5472500,
        busy_download_mean: 5987500,
        latency_mean: 6570,
        daily_outages: 0.03,
      },
      {
        unit_id: 2,
        dtime: '2022-04-30 16:00:00.000',
        period_end: '2022-05-31',
        download_mean: 1250,
        busy_download_mean: null,
        latency_mean: 6570,
        daily_outages: null,
      },
    ]);
  });

  it('a release has its columns as published or with dots, and may lack some', async () => {
    const [header = '', row = ''] = acccFile([{ unit: 9, download: '43.78' }]).split('\r\n');
    const names = header.split(',');
    const kept = names.flatMap((name, i) =>
      /impaired|minimum|outages/.test(name) ? [] : [{ name, value: row.split(',')[i] }],
    );
    const dotted = kept.map(({ name }) => name.replaceAll(' ', '.')).join(',');
    const path = panel.file('dots.csv', `${dotted}\n${kept.map(({ value }) => value).join(',')}\n`);
    const period = ['--period', '2025-03-01/2025-03-31'];
    const { code, stderr } = await load('--preset', 'accc', ...period, path);
    expect(code, stderr).to.equal(0);
    const columns = 'download_mean, download_min, download_max, daily_outages, period_end';
    expect(await stored(columns)).to.deep.equal([
      {
        download_mean: 5472500,
        download_min: null,
        download_max: 6775000,
        daily_outages: null,
        period_end: '2025-03-31',
      },
    ]);
    const [unit] = await agents();
    expect(unit?.custom).to.include({ underperforming: 'FALSE', geography: 'Urban' });
    expect(unit?.custom).not.to.have.property('impaired');
  });

  it('the same line describes the unit; a blank cell gives no field', async () => {
    await loadAccc(
      [
        { unit: 1, tier: '100/40 Mbps', rsp: 'Dodo & iPrimus', state: 'TAS' },
        { unit: 2, tier: 'Fixed Wireless Plus', rsp: '', state: 'NT + SA', geography: '' },
        { unit: 3, tier: '500-990/50 Mbps', rsp: 'Telstra', state: 'QLD' },
      ],
      ...['--period', may],
    );
    const common = {
      technology: 'Fibre to the Node',
      connection_type: 'NBN',
      impaired: 'TRUE',
      underperforming: 'FALSE',
    };
    const found = (await agents()).map(({ validFrom: _validFrom, ...agent }) => agent);
    expect(found).to.deep.equal([
      {
        unit: 1,
        isp: 'Dodo & iPrimus',
        tier: '100/40 Mbps',
        timezone: 'Australia/Hobart',
        custom: {
          ...common,
          state: 'TAS',
          geography: 'Urban',
          tier: '100/40 Mbps',
          advertised_download_mbps: 100,
          advertised_upload_mbps: 40,
        },
      },
      {
        unit: 2,
        isp: null,
        tier: null,
        timezone: 'Australia/Adelaide',
        custom: { ...common, state: 'NT + SA', tier: 'Fixed Wireless Plus' },
      },
      {
        unit: 3,
        isp: 'Telstra',
        tier: '500-990/50 Mbps',
        timezone: 'Australia/Brisbane',
        custom: {
          ...common,
          state: 'QLD',
          geography: 'Urban',
          tier: '500-990/50 Mbps',
          advertised_upload_mbps: 50,
        },
      },
    ]);
  });

  it('queries answer the published number, by ISP, without the units that have none', async () => {
    await loadAccc(
      [
        { unit: 1, busyDownload: '43.78' },
        { unit: 2, busyDownload: '' },
        { unit: 3, busyDownload: '99.9', rsp: 'Optus', connectionType: 'NBN_FW' },
      ],
      ...['--period', may],
    );
    await waitUntilPublished(panel.stack.database, panel.tenant.organisationId);
    const api = new DataApi(panel.stack.queryUrl, panel.tenant.dataToken);
    const points = await api.points({
      ...plainRequest,
      metric: 'panelDownloadBusy',
      aggregation: 'monthly',
      // The prefilter would drop a missing value, too.
      prefilter: false,
      splits: ['isp'],
      filters: [
        { id: 'custom.connection_type', filterType: 'include', filterValues: ['NBN', 'NBN_FW'] },
      ],
      time: { from: '2022-05-01 00:00', to: '2022-05-31 23:59' },
    });
    expect(
      points.map(({ isp, metricValue, sampleCount }) => ({ isp, metricValue, sampleCount })),
    ).to.have.deep.members([
      { isp: 'TPG', metricValue: 43.78, sampleCount: 1 },
      { isp: 'Optus', metricValue: 99.9, sampleCount: 1 },
    ]);
  });

  it('a second load changes nothing, and the next report applies from its own period', async () => {
    const units = [{ unit: 1 }, { unit: 2, state: 'WA' }];
    await loadAccc(units, '--period', may);
    const again = await loadAccc(units, '--period', may);
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.include('2 units in the file: 0 added, metadata of 0 changed');
    expect(again.stdout).to.include('2 rows read: 0 rows loaded, 2 already there');

    const next = [{ unit: 1, tier: '100/20 Mbps' }];
    const august = await loadAccc(next, '--period', '2022-08-01/2022-08-31');
    expect(august.code, august.stderr).to.equal(0);
    const tiers = (await agents()).map(({ unit, tier, validFrom }) => [
      unit,
      tier,
      validFrom?.toISOString(),
    ]);
    expect(tiers).to.deep.equal([
      [1, '50/20 Mbps', undefined],
      [1, '100/20 Mbps', '2022-07-31T14:00:00.000Z'],
      [2, '50/20 Mbps', undefined],
    ]);
    expect(await stored('unit_id, period_end')).to.have.length(3);

    const april = await loadAccc(
      [{ unit: 1, tier: '25/5 Mbps' }],
      '--period',
      '2022-04-01/2022-04-30',
    );
    expect(april.code, april.stderr).to.equal(0);
    expect((await agents()).map(({ unit, tier }) => [unit, tier])).to.deep.equal([
      [1, '25/5 Mbps'],
      [1, '50/20 Mbps'],
      [1, '100/20 Mbps'],
      [2, '50/20 Mbps'],
    ]);

    const corrected = await loadAccc([{ unit: 1, tier: '12/1 Mbps' }], '--period', may);
    expect(corrected.code).to.equal(1);
    expect(corrected.stderr).to.include(
      'The file would replace other values that are recorded from 2022-04-30 on for 1 units.',
    );
    expect(await stored('unit_id')).to.have.length(4);
  });

  it('--dry-run checks everything and stores nothing; --no-agents loads only the results', async () => {
    const dry = await loadAccc([{ unit: 1 }], '--period', may, '--dry-run');
    expect(dry.code, dry.stderr).to.equal(0);
    expect(dry.stdout).to.include('1 units in the file, not imported in a dry run');
    expect(dry.stdout).to.include('1 rows read: 1 rows would be loaded');
    expect(await stored('unit_id')).to.deep.equal([]);
    expect(await agents()).to.deep.equal([]);

    const results = await loadAccc([{ unit: 1 }], '--period', may, '--no-agents');
    expect(results.code, results.stderr).to.equal(0);
    expect(await stored('unit_id, toString(dtime) AS dtime')).to.deep.equal([
      { unit_id: 1, dtime: '2022-04-30 14:00:00.000' },
    ]);
    expect(await agents()).to.deep.equal([]);
  });

  it('an invalid row is rejected; metadata that cannot be stored stops the load', async () => {
    const rejected = await loadAccc(
      [{ unit: 'x7' }, { unit: 2, download: 'n/a' }, { unit: 3 }],
      ...['--period', may],
    );
    expect(rejected.code, rejected.stderr).to.equal(0);
    expect(rejected.stdout).to.include('3 rows read: 1 rows loaded');
    expect(rejected.stdout).to.include('2 units in the file: 2 added');

    const unknown = await loadAccc([{ unit: 4 }, { unit: 5, state: 'Otago' }], '--period', may);
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.include(
      'units.csv, line 3: state_or_territory must be one of the values of the table zones',
    );
    expect(unknown.stderr).to.include('but state_or_territory is "Otago"\nNothing was loaded.');
    expect(await stored('unit_id')).to.deep.equal([{ unit_id: 3 }]);
  });

  it('the period is required, and must be two days in order', async () => {
    const missing = await loadAccc([{ unit: 1 }]);
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include('--period is missing');
    expect(missing.stderr).to.include('2022-05-01/2022-05-31');
    for (const period of ['2022-05', '2022-05-01/2022-05-32', '2022-05-31/2022-05-01']) {
      const { code, stderr } = await loadAccc([{ unit: 1 }], '--period', period);
      expect(code, period).to.equal(2);
      expect(stderr, period).to.include('--period');
    }
    expect(await stored('unit_id')).to.deep.equal([]);
  });
});
