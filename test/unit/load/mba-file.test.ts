import { expect } from 'chai';
import { type MbaFile, mbaFile, mbaHeader } from '../../../services/load/mba/mba-file.ts';

const fileOf = (name: string) => mbaFile(name) as MbaFile;

describe('the name of an FCC file', () => {
  for (const [name, test, constants] of [
    ['curr_httpgetmt6.csv', 'httpget', { ip_version: 6 }],
    ['curr_httppostmt_2014_01.csv', 'httppost', { ip_version: 4 }],
    ['curr_httpgetmt6_2016_08.csv.gz', 'httpget', { ip_version: 6 }],
    ['CURR_DLPING_2012_12.CSV', 'ping', { ip_version: 4, line_load: 'download' }],
    ['curr_netusage-2015-03.csv', 'network_usage', {}],
    ['curr_udpcloss_201503.csv', 'udpcloss', { ip_version: 4 }],
    ['curr_udpcloss.csv', 'udpcloss', { ip_version: 4 }],
  ] as const) {
    it(`${name} is of the test ${test}`, () => {
      expect(mbaFile(name)).to.deep.include({ test, constants });
    });
  }

  it('of a multi-threaded test gives three connections, with and without a month', () => {
    expect(fileOf('curr_httpgetmt_2014_01.csv').fallbacks).to.deep.equal({ threads: 3 });
    expect(fileOf('curr_httpget_2014_01.csv').fallbacks).to.deep.equal({ threads: 1 });
  });

  it('may be unsupported or not that of a result file', () => {
    expect(mbaFile('curr_lct_dl_2014_01.csv')).to.equal('unsupported');
    expect(mbaFile('curr_avail_2014_01.csv')).to.equal('unsupported');
    expect(mbaFile('unit-profile.csv')).to.equal(undefined);
    expect(mbaFile('curr_ping.csv.rejects.csv')).to.equal(undefined);
  });
});

describe('the header of an FCC file', () => {
  const header = (name: string, line: string) => mbaHeader(line.split(','), fileOf(name));
  const ping = ['unit_id', 'dtime', 'target', 'rtt_avg', 'rtt_min', 'rtt_max', 'rtt_std'];
  const counts = ['successes', 'failures'];

  it('is its first line', () => {
    expect(header('curr_ping.csv', 'dtime,unit_id,rtt_avg')).to.deep.equal({
      titles: ['dtime', 'unit_id', 'rtt_avg'],
      isMissing: false,
    });
  });

  it('may start with #, as in early 2011', () => {
    expect(header('curr_ping.csv', '#unit_id,dtime').titles).to.deep.equal(['unit_id', 'dtime']);
  });

  it('is the order of the data dictionary if the first line is data', () => {
    const row = '386,2014-01-01 11:47:19,host,4,3,5,1,10,0';
    expect(header('curr_ping_2014_01.csv', row)).to.deep.equal({
      titles: [...ping, ...counts],
      isMissing: true,
    });
    expect(header('curr_ping_2014_01.csv', `${row},7`).titles).to.deep.equal([
      ...ping,
      ...counts,
      'location_id',
    ]);
    expect(
      header('curr_ping.csv', '386,2014-01-01 11:47:19,2014-01-01,host,4,3,5,1,10,0').titles,
    ).to.deep.equal(['unit_id', 'dtime', 'ddate', ...ping.slice(2), ...counts]);
  });

  it('of web pages in July 2011 has fewer columns', () => {
    const row = '386,2011-07-01 11:47:19,host,4000,500,100,3,1,0,7';
    expect(header('curr_webget_2011_07.csv', row).titles).to.deep.equal(
      'unit_id dtime target fetch_time bytes_total bytes_sec objects successes failures location_id'.split(
        ' ',
      ),
    );
  });

  it('is refused if the columns fit no known order', () => {
    expect(() => header('curr_dns_2014_01.csv', '386,2014-01-01 11:47:19,host,4')).to.throw(
      'the file has no header, and line 1 has 4 columns. Files of this test without a header have 8 or 9 columns: ' +
        'unit_id, dtime, nameserver, lookup_host, response_ip, rtt, successes, failures, and perhaps location_id',
    );
  });
});
