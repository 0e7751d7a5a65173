import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseUnitProfile } from '../../../services/cli/mba/unit-profile.ts';
import { usTimezone } from '../../../services/cli/mba/us-timezone.ts';
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
      },
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
