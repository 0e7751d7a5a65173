import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { zipEntries } from '../../../services/load/mba/zip-entries.ts';
import { xlsxWorkbook } from '../../../deploy/local/sample/mba/xlsx-workbook.ts';
import { describeUnits, readUnitProfile } from '../../../services/load/mba/read-unit-profile.ts';
import { metricsByPrefix } from '../../../services/load/mba/exclusion-list.ts';
import { parseUnitProfile } from '../../../services/load/mba/unit-profile.ts';
import { usTimezone } from '../../../services/load/mba/us-timezone.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const fixture = (name: string) =>
  parseUnitProfile(readFileSync(join(repositoryRoot, 'test/fixtures/mba', name), 'utf8'));

describe('an FCC unit profile', () => {
  it('of 2021 has the ISP, package, location and time zone of each unit', () => {
    expect(fixture('unit-profile-2021.csv')[0]).to.deep.equal({
      agentId: null,
      unitId: 900001,
      macAddress: null,
      kind: 'whitebox',
      base: 'wx8',
      country: 'US',
      isp: 'Lakeside',
      packageName: '3/0.384',
      timezone: 'America/Chicago',
      custom: {
        technology: 'DSL',
        state: 'IL',
        census_region: 'Midwest',
        advertised_download_mbps: 3,
        advertised_upload_mbps: 0.384,
        status: 'included',
        excluded_metrics: null,
      },
      statesPackage: true,
      statesTimezone: true,
    });
  });

  it('of 2017 is read despite blanks, "-7 hr", lower case and speed ranges', () => {
    const units = fixture('unit-profile-2017.csv');
    expect(units.map(({ isp }) => isp)).to.deep.equal(['Lakeside', 'Lakeside', 'Harbor']);
    expect(units[1]).to.deep.include({
      packageName: '0.5-1/0.384',
      timezone: 'America/Phoenix',
      base: 'WX100',
    });
    expect(units[1]?.custom).to.include({ state: 'AZ', advertised_download_mbps: 1 });
    expect(units[2]?.timezone).to.equal('America/New_York');
  });

  it('without required columns is rejected with their names', () => {
    expect(() => parseUnitProfile('Unit ID,State\n1,NY\n')).to.throw(
      'no column for isp, download, upload',
    );
  });

  const realDir = process.env.MBA_DATA_DIR;
  const real =
    realDir === undefined ? [] : readdirSync(realDir).filter((name) => name.includes('profile'));
  for (const name of real) {
    it(`is read completely: ${name}`, () => {
      const text = readFileSync(join(realDir ?? '', name), 'utf8');
      const units = parseUnitProfile(text);
      expect(units.length).to.equal(text.trim().split('\n').length - 1);
      for (const unit of units) {
        expect(unit.timezone, JSON.stringify(unit)).to.be.a('string');
        expect(unit.packageName, JSON.stringify(unit)).to.match(/^[\d.]+(-[\d.]+)?\/[\d.]+/);
        expect(unit.isp).to.equal(unit.isp?.trim());
        expect(unit.custom.advertised_download_mbps).to.be.a('number');
      }
    });
  }
});

describe('the units of an FCC release', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'netpanel-profile-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const written = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const header = ['Unit ID', 'ISP', 'State', 'timezone_offset', 'Download', 'Upload'];
  const row = (unit: string, isp = 'Harbor', state = 'NY') => [
    unit,
    isp,
    state,
    '-5',
    '100',
    '0.768',
  ];
  const statuses = async (files: Parameters<typeof readUnitProfile>[0]) => {
    const profile = await readUnitProfile(files);
    return Object.fromEntries(
      profile!.records.map(({ unitId, custom }) => [String(unitId), custom.status]),
    );
  };

  it('are read from the sheet of a workbook that has them, after title lines', async () => {
    const workbook = xlsxWorkbook({
      About: [['Measuring Broadband America'], ['2018', 'report']],
      Profile: [['Unit profile & more'], header, row('900001'), row('900002', 'Lake <A>', 'AZ')],
    });
    const profile = await readUnitProfile({ profile: written('profile.xlsx', workbook) });
    expect(profile?.records).to.have.length(2);
    expect(profile?.records[1]).to.deep.include({
      unitId: 900002,
      isp: 'Lake <A>',
      packageName: '100/0.768',
      timezone: 'America/Phoenix',
    });
  });

  // What openpyxl requires of a workbook: a part with the type of a workbook, one with that of a sheet for each sheet, and
  // valid names of cells. Checked with openpyxl 3.1 by hand.
  it('are in workbooks that name the types of their parts', async () => {
    const wide = Array.from({ length: 28 }, (_, i) => `c${i}`);
    const path = written('types.xlsx', xlsxWorkbook({ A: [wide], B: [header] }));
    const parts = new Map<string, string>();
    for await (const { path: name, open } of zipEntries(path)) {
      parts.set(name, await text(await open()));
    }
    const types = [
      ...(parts.get('[Content_Types].xml') ?? '').matchAll(
        /PartName="\/([^"]+)" ContentType="[^"]+\.(\w+)\+xml"/g,
      ),
    ].map(([, name, type]) => [name, type]);
    expect(types).to.deep.equal([
      ['xl/workbook.xml', 'main'],
      ['xl/worksheets/sheet1.xml', 'worksheet'],
      ['xl/worksheets/sheet2.xml', 'worksheet'],
    ]);
    expect(parts.get('xl/worksheets/sheet1.xml')).to.match(/r="Z1".*r="AA1".*r="AB1"/);
  });

  it('are refused by a message that names the sheets if no sheet has them', async () => {
    const workbook = xlsxWorkbook({
      About: [['Measuring'], ['Broadband']],
      Units: [
        ['Unit ID', 'State'],
        ['1', 'NY'],
      ],
    });
    const path = written('other.xlsx', workbook);
    const error = await failure(readUnitProfile({ profile: path }));
    expect(error.message).to.equal(`${path} cannot be read as a unit profile`);
    expect((error.cause as Error).message).to.equal(
      'Sheet "About" has no column for unit, isp, download, upload; ' +
        'Sheet "Units" has no column for isp, download, upload',
    );
  });

  it('are refused by a message if the workbook is of Excel 97', async () => {
    const path = written('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    const error = await failure(readUnitProfile({ profile: path }));
    expect((error.cause as Error).message).to.include('save it as .xlsx or CSV');
  });

  it('are excluded if any column says REMOVE, or a column of their exclusion says so', async () => {
    const lines = [
      [...header, 'Note', 'Exclude', 'Status'],
      [...row('1'), '', '', ''],
      [...row('2'), 'REMOVE', '', ''],
      [...row('3', 'remove'), '', '', ''],
      [...row('4'), '', 'Yes', ''],
      [...row('5'), '', 'No', 'Active'],
      [...row('6'), '', '', 'Excluded'],
      [...row('7'), '', '', 'Removed: moved house'],
      [...row('8'), 'Removed a router', '', ''],
    ];
    const path = written('marked.csv', lines.map((line) => line.join(',')).join('\n'));
    expect(await statuses({ profile: path })).to.deep.equal({
      1: 'included',
      2: 'REMOVE',
      3: 'REMOVE',
      4: 'excluded',
      5: 'Active',
      6: 'excluded',
      7: 'REMOVE',
      8: 'included',
    });
    const profile = await readUnitProfile({ profile: path });
    expect([...profile!.excludedUnits]).to.deep.equal([2, 3, 4, 6, 7]);
    expect(profile?.records[2]?.isp).to.equal(null);
  });

  it('are excluded by a list, by a sheet of the workbook, and without a profile', async () => {
    const list = written('list.csv', 'unit_id,reason\n2,Not enough data\n9,Moved\n');
    const workbook = xlsxWorkbook({
      Profile: [header, row('1'), row('2'), row('3')],
      Excluded: [['Unit ID'], ['3']],
    });
    const profile = written('with-list.xlsx', workbook);
    expect(await statuses({ profile, excluded: list })).to.deep.equal({
      1: 'included',
      2: 'excluded',
      3: 'excluded',
      9: 'excluded',
    });
    expect(await statuses({ excluded: list })).to.deep.equal({ 2: 'excluded', 9: 'excluded' });
  });

  it('are excluded from the metrics of the columns in which a list marks them', async () => {
    const list = written(
      'metrics.csv',
      [
        'Unit_ID,ISP,ISP_Name,ISP_DL_24H,ISP_DL_Peak,ISP_VS_3.75,ISP_FTP_1',
        '1,Lake,Lake,,,,',
        '2,Lake,Lake,x,1,,',
        '3,Lake,Lake,0,,REMOVE,no',
        '4,Lake,Lake,,,,x',
        '9,Lake,Lake,,Y,,',
      ].join('\n'),
    );
    const profile = written(
      'plain.csv',
      [header, row('1'), row('2'), row('3'), row('4')].join('\n'),
    );
    const read = await readUnitProfile({ profile, excluded: list });
    expect(
      read!.records.map(({ unitId, custom }) => [unitId, custom.status, custom.excluded_metrics]),
    ).to.deep.equal([
      [1, 'included', null],
      [2, 'included', 'httpget,httpget_sustained,httpget_retrans'],
      [3, 'included', 'youtubeBitrate,youtubeStartup'],
      [4, 'included', null],
      [9, undefined, 'httpget,httpget_sustained,httpget_retrans'],
    ]);
    expect([...read!.excludedUnits]).to.deep.equal([]);
    expect(describeUnits(read!)).to.deep.equal([
      '3 units are excluded from some metrics: 2, 3, 9',
      '1 marks in the column ISP_FTP_1 exclude nothing, because its metrics are unknown. Known columns ' +
        'begin with ISP_DL, ISP_UL, ISP_VS, ISP_WEB, ISP_DNS, ISP_LAT, ISP_PL, ISP_UDP, ISP_PING, ISP_JIT',
      '1 units have no usable time zone: their local time is UTC: 9',
    ]);
    const all = await readUnitProfile({ profile, excluded: list, 'include-excluded': true });
    expect(all!.records.map(({ custom }) => custom.excluded_metrics)).to.deep.equal(
      Array.from({ length: 4 }, () => null),
    );
  });

  it('have metrics for columns as docs/loading.md lists them, short enough for a custom field', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/loading.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `ISP_(\w+)…` +\| (.*?) +\|$/gm)].map(
      ([, prefix, keys]) => [prefix, keys?.match(/\w+/g)],
    );
    expect(Object.fromEntries(listed)).to.deep.equal(metricsByPrefix);
    expect(Object.values(metricsByPrefix).flat().join(',').length).to.be.lessThan(1024);
    for (const keys of Object.values(metricsByPrefix)) expect(keys).not.to.deep.equal([]);
  });

  it('must be in a list of excluded units', async () => {
    const path = written('empty-list.csv', 'box,reason\n2,Not enough data\n');
    const { message } = await failure(readUnitProfile({ excluded: path }));
    expect(message).to.include(
      'empty-list.csv has no units, or no column with unit ids such as unit_id',
    );
  });

  it('without a usable time zone, and excluded ones, are counted and named', async () => {
    const units = Array.from({ length: 7 }, (_, i) => `${i + 1},Harbor,ZZ,+3,1,1`);
    const lines = [header.join(','), ...units, '8,REMOVE,NY,-5,1,1', '9,Harbor,NY,-5,1,1'];
    const profile = await readUnitProfile({ profile: written('zones.csv', lines.join('\n')) });
    expect(describeUnits(profile!)).to.deep.equal([
      '1 units are excluded by the FCC: 8',
      '7 units have no usable time zone: their local time is UTC: 1, 2, 3, 4, 5 …',
    ]);
  });
});

async function failure(reading: Promise<unknown>): Promise<Error> {
  try {
    await reading;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was read');
}

describe('the time zone of an American household', () => {
  const cases: readonly [string, number, number, string][] = [
    ['NY', -5, -4, 'America/New_York'],
    ['AZ', -7, -7, 'America/Phoenix'],
    ['AZ', -7, -6, 'America/Denver'],
    ['AZ', -5, -4, 'America/Phoenix'],
    ['IN', -5, -4, 'America/Indiana/Indianapolis'],
    ['IN', -6, -5, 'America/Chicago'],
    ['IN', -5, -5, 'America/Indiana/Indianapolis'],
    ['HI', -10, -10, 'Pacific/Honolulu'],
    ['HI', -7, -6, 'Pacific/Honolulu'],
    ['AK', -9, -8, 'America/Anchorage'],
    ['AK', -10, -9, 'America/Adak'],
    ['FL', -6, -5, 'America/Chicago'],
    ['TN', -5, -5, 'America/New_York'],
    ['TX', -7, -6, 'America/Denver'],
    ['KY', -5, -4, 'America/Kentucky/Louisville'],
    ['PR', -4, -4, 'America/Puerto_Rico'],
    ['', -8, -7, 'America/Los_Angeles'],
  ];
  for (const [state, offset, dst, zone] of cases) {
    it(`in ${state || 'an unnamed state'} at ${offset} and ${dst} is ${zone}`, () => {
      expect(usTimezone(state, offset, dst)).to.equal(zone);
    });
  }

  it('is null if it is unknown', () => {
    expect(usTimezone('', undefined, undefined)).to.equal(null);
  });
});
