import { expect } from 'chai';
import { flagWords } from '../../../../services/cli/query/read-input.ts';
import {
  metricRequest,
  parseDays,
  parseHours,
} from '../../../../services/cli/query/request-flags.ts';

describe('the request of netpanel query', () => {
  it('is daily data of the last seven whole days without a file', () => {
    expect(
      metricRequest(
        { metric: 'httpget', split: ['isp, package', 'country'] },
        undefined,
        new Date('2026-03-05T04:00:00Z'),
      ),
    ).to.deep.equal({
      metric: 'httpget',
      chartType: 'aggregate',
      aggregation: 'daily',
      normalised: false,
      prefilter: true,
      splits: ['isp', 'package', 'country'],
      time: { from: '2026-02-26', to: '2026-03-04' },
    });
  });

  it('has only the fields of the file and those that flags replace', () => {
    const file = {
      metric: 'dns',
      time: { from: '2026-11-01', to: '2026-11-02' },
      window: { hours: [1] },
    };
    expect(metricRequest({ to: '2026-11-03', days: 'sat,sun' }, file)).to.deep.equal({
      metric: 'dns',
      time: { from: '2026-11-01', to: '2026-11-03' },
      window: { hours: [1], days: ['sat', 'sun'] },
    });
  });

  it('makes one filter of the values of a field, and another of those that it drops', () => {
    const { filters } = metricRequest(
      { metric: 'dns', filter: ['isp=A', 'isp=B=C', 'country!=GB', 'isp!=D'] },
      undefined,
    );
    expect(filters).to.deep.equal([
      { id: 'isp', filterType: 'include', filterValues: ['A', 'B=C'] },
      { id: 'country', filterType: 'exclude', filterValues: ['GB'] },
      { id: 'isp', filterType: 'exclude', filterValues: ['D'] },
    ]);
    expect(() => metricRequest({ metric: 'dns', filter: ['isp'] }, undefined)).to.throw(
      'FIELD=VALUE',
    );
  });

  it('reads days and hours as lists and ranges, also over the end', () => {
    expect(parseDays('mon-wed,Sun')).to.deep.equal(['mon', 'tue', 'wed', 'sun']);
    expect(parseDays('sat-mon')).to.deep.equal(['sat', 'sun', 'mon']);
    expect(parseHours('22-1,07')).to.deep.equal([22, 23, 0, 1, 7]);
    expect(() => parseHours('24')).to.throw('--hours must be hours from 0 to 23');
    expect(() => parseDays('monday')).to.throw('--days must be days such as mon-fri');
  });

  it('needs a metric, and not both raw data and an aggregation', () => {
    expect(() => metricRequest({}, undefined)).to.throw('METRIC is missing');
    expect(() =>
      metricRequest({ metric: 'dns', raw: true, aggregation: 'daily' }, undefined),
    ).to.throw('--raw and --aggregation exclude each other');
    expect(metricRequest({ metric: 'dns', raw: true }, undefined)).to.include({
      chartType: 'raw',
      aggregation: null,
    });
  });
});

describe('an error of the service in the words of netpanel query', () => {
  const flags = { metric: 'dns', split: ['ips'], filter: ['isp=A', 'isp=B'], from: 'x' };
  const request = metricRequest(flags, undefined);
  const words = (path: string) => flagWords(path, request, flags, undefined);

  it('names the flag, with the value of those that may repeat', () => {
    expect(words('metric')).to.equal('METRIC');
    expect(words('splits[0]')).to.equal('--split ips');
    expect(words('filters[0][filterValues][1]')).to.equal('--filter isp=B');
    expect(words('time[from]')).to.equal('--from');
    expect(words('household[statistic]')).to.equal('--household');
    expect(words('window[hours][0]')).to.equal('--hours');
  });

  it('names the file for what is in the file, and the flag for what replaces it', () => {
    const inFile = (path: string) => flagWords(path, request, { from: 'x' }, 'request.json');
    expect(inFile('splits[0]')).to.equal('request.json: splits[0]');
    expect(inFile('time[from]')).to.equal('--from');
    expect(inFile('time[to]')).to.equal('request.json: time[to]');
    expect(flagWords('shares', request, {}, '-')).to.equal('standard input: shares');
  });
});
