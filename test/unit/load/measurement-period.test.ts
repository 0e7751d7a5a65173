import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { measurementPeriod, monthInName } from '../../../services/load/mba/measurement-period.ts';

describe('the month of a release', () => {
  for (const [name, month] of [
    ['unit-profile-sept2021.csv', '2021-09'],
    ['Unit_Profile_September_2020.csv', '2020-09'],
    ['UNIT-PROFILE-OCT-2017.csv', '2017-10'],
    ['unit-profile-2016-09.csv', '2016-09'],
    ['profile_201809.csv', '2018-09'],
    ['09-2015 units.csv', '2015-09'],
    ['unit-profile-2021.csv', undefined],
    ['unit-profile.csv', undefined],
    ['profile-20210915123.csv', undefined],
  ] as const) {
    it(`in the name ${name} is ${month ?? 'unknown'}`, () => {
      expect(monthInName(name)?.toISOString().slice(0, 7)).to.equal(month);
    });
  }

  it('is that of the first file or its results if the name has none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'netpanel-period-'));
    try {
      writeFileSync(join(folder, 'curr_lct_dl.csv'), 'unit_id,dtime\n1,2001-01-01 00:00:00\n');
      expect(await measurementPeriod('profile.csv', folder)).to.equal(undefined);
      const rows = '1,2022-10-03T01:00:00Z\n1,2022-09-30 23:00:00\n2,never\n';
      writeFileSync(join(folder, 'curr_ping.csv'), `unit_id,DTIME\n${rows}`);
      expect(await measurementPeriod('profile.csv', folder)).to.deep.equal({
        fromUtc: new Date('2022-09-01T00:00:00Z'),
        source: 'curr_ping.csv',
      });
      writeFileSync(
        join(folder, 'curr_dns.csv'),
        '386,2013-04-05 11:47:19,192.0.2.1,host,192.0.2.2,4000,1,0,7\n',
      );
      const headerless = { fromUtc: new Date('2013-04-01T00:00:00Z'), source: 'curr_dns.csv' };
      expect(await measurementPeriod('profile.csv', folder)).to.deep.equal(headerless);
      const dated = join(folder, 'curr_ping_2014_01.csv');
      writeFileSync(dated, 'any text');
      expect(await measurementPeriod('profile.csv', dated)).to.deep.equal({
        fromUtc: new Date('2014-01-01T00:00:00Z'),
        source: 'curr_ping_2014_01.csv',
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
