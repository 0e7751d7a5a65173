import { expect } from 'chai';
import { UsageError } from '../../../../services/shared/errors/usage-error.ts';
import {
  flagWords,
  metricRequest,
  withRelativeTimes,
} from '../../../../services/query/request/request-options.ts';
import { readDays, readHours } from '../../../../services/query/request/fields/window.ts';

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
    expect(readDays('mon-wed,Sun')).to.deep.equal(['mon', 'tue', 'wed', 'sun']);
    expect(readDays('sat-mon')).to.deep.equal(['sat', 'sun', 'mon']);
    expect(readHours('22-1,07')).to.deep.equal([22, 23, 0, 1, 7]);
    expect(() => readHours('24')).to.throw('--hours must be hours from 0 to 23');
    expect(() => readDays('monday')).to.throw('--days must be days such as mon-fri');
  });

  it('compares whole ranges, with all options of a comparison', () => {
    const given = {
      metric: 'dns',
      'compare-time': '2025-10-01 00:00 / 2025-10-31 23:59',
      'compare-filter': ['isp=A', 'isp=B'],
      'compare-known-at': '2026-01-01',
      'compare-agents': 'both',
    };
    const request = metricRequest(given, undefined);
    expect(request.aggregation).to.equal('total');
    expect(request.compare).to.deep.equal({
      time: { from: '2025-10-01 00:00', to: '2025-10-31 23:59' },
      filters: [{ id: 'isp', filterType: 'include', filterValues: ['A', 'B'] }],
      knownAt: '2026-01-01',
      agents: 'both',
    });
    expect(metricRequest({ ...given, aggregation: 'daily' }, undefined).aggregation).to.equal(
      'daily',
    );
    expect(metricRequest({ metric: 'dns', 'compare-to': 'rest' }, undefined).compare).to.deep.equal(
      { to: 'rest' },
    );
  });

  it('compares with another window, and with several times', () => {
    const compared = (given: object) =>
      metricRequest({ metric: 'dns', ...given }, undefined).compare;
    const hours = [19, 20, 21, 22];
    expect(compared({ 'compare-window': 'Sat,Sun/19-22' })).to.deep.equal({
      window: { days: ['sat', 'sun'], hours },
    });
    expect(compared({ 'compare-window': '19-22' })).to.deep.equal({ window: { hours } });
    expect(
      compared({ 'compare-times': ['2025-10-01/2025-10-02', '-9 days/-8 days'] }),
    ).to.deep.equal({
      times: [
        { from: '2025-10-01', to: '2025-10-02' },
        { from: '-9 days', to: '-8 days' },
      ],
    });
  });

  it('keeps the parts of a comparison in a file that no option replaces', () => {
    const compare = { window: { hours: [19] }, agents: 'all' };
    const file = { metric: 'dns', aggregation: 'daily', compare };
    expect(metricRequest({ 'compare-agents': 'both' }, file)).to.deep.equal({
      ...file,
      compare: { ...compare, agents: 'both' },
    });
  });

  it('refuses an interval, filter or choice of households that is no comparison', () => {
    const compared = (given: object) => () => metricRequest({ metric: 'dns', ...given }, undefined);
    for (const text of ['2025-10-01', '2025-10-01/', '/2025-10-31', '2025-10-01/02/03']) {
      expect(compared({ 'compare-time': text })).to.throw(
        UsageError,
        `--compare-time must be FROM/TO, such as 2025-10-01/2025-10-31, not "${text}"`,
      );
    }
    for (const text of ['', 'evening', 'mon/tue', 'mon-fri/19/20', '19-30']) {
      expect(compared({ 'compare-window': text })).to.throw(UsageError, '--compare-window must be');
    }
    expect(compared({ 'compare-filter': ['isp'] })).to.throw(
      UsageError,
      '--compare-filter must be written as FIELD=VALUE',
    );
    expect(compared({ 'compare-agents': 'both' })).to.throw(
      UsageError,
      '--compare-agents needs --compare-time',
    );
  });

  it('sends the fields of reports that are one word', () => {
    const given = { 'percentile-rule': 'lower', strata: 'isp', weight: 'w', switchers: 'drop' };
    expect(metricRequest({ metric: 'dns', ...given }, undefined)).to.include({
      percentileRule: 'lower',
      strata: 'isp',
      weight: 'w',
      switchers: 'drop',
    });
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

describe('the arguments of netpanel query', () => {
  it('may have times that begin with a dash', () => {
    expect(
      withRelativeTimes(['--from', '-7 days', '--compare-time', '-14 days/-7 days']),
    ).to.deep.equal(['--from=-7 days', '--compare-time=-14 days/-7 days']);
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

  it('names the option of a part of a comparison', () => {
    const given = { metric: 'dns', 'compare-filter': ['isp=A', 'isp=B'], 'compare-time': 'x/y' };
    const compared = metricRequest(given, undefined);
    const inWords = (path: string) => flagWords(path, compared, given, undefined);
    expect(inWords('compare[filters][0][filterValues][1]')).to.equal('--compare-filter isp=B');
    expect(inWords('compare[time][from]')).to.equal('--compare-time');
    expect(inWords('compare')).to.equal('--compare-time, --compare-filter');
  });

  it('names the file for what is in the file, and the flag for what replaces it', () => {
    const inFile = (path: string) => flagWords(path, request, { from: 'x' }, 'request.json');
    expect(inFile('splits[0]')).to.equal('request.json: splits[0]');
    expect(inFile('time[from]')).to.equal('--from');
    expect(inFile('time[to]')).to.equal('request.json: time[to]');
    expect(flagWords('shares', request, {}, '-')).to.equal('standard input: shares');
  });
});
