import { expect } from 'chai';
import { parseMetricQuery } from '../../../services/query/request/parse-metric-query.ts';
import { expandMethod } from '../../../services/query/request/fields/method.ts';
import type { AggregateMetricQuery } from '../../../services/query/request/metric-query.ts';
import { AppError, type FieldErrors } from '../../../services/shared/errors/app-error.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { plainRequest } from '../../support/plain-request.ts';

function errorsWith(changes: object, context = parseContext): FieldErrors {
  try {
    parseMetricQuery({ ...plainRequest, ...changes }, context);
  } catch (error) {
    if (error instanceof AppError) return error.errors ?? {};
    throw error;
  }
  return {};
}

function reportOf(changes: object) {
  return (metricQuery(changes as Record<string, unknown>) as AggregateMetricQuery).report;
}

const household = { statistic: 'mean' };

describe('the fields of a report', () => {
  it('are absent from other requests', () => {
    expect(reportOf({ agent_agg: true })).to.equal(undefined);
    expect(reportOf({ household: null, weight: null })).to.equal(undefined);
  });

  it('that are refused and come from a method are explained by it', () => {
    const expanded = expandMethod({ ...plainRequest, metric: 'httpget', method: 'fcc-2018' });
    const errors = errorsWith(expanded);
    expect(errors['relativeTo[field]']?.[0]).to.match(
      /^Unknown field "custom.advertised_download_mbps"/,
    );
    expect(errors.method?.[0]).to.equal(
      'fcc-2018 divides by custom.advertised_download_mbps. Load it for your agents, or send relativeTo: another field, or null for none.',
    );
    const byOfcom = expandMethod({ ...plainRequest, method: 'ofcom-2021' }) as object;
    const weighted = errorsWith(byOfcom, { ...parseContext, customKeys: [] });
    expect(weighted.method?.[0]).to.match(/^ofcom-2021 weights by custom.weight\. /);
    const own = errorsWith({ ...(expanded as object), relativeTo: 'custom.speed' });
    expect(Object.keys(own)).to.deep.equal(['relativeTo[field]']);
  });

  it('of Ofcom’s method of 2023 have the weight of the question', () => {
    const fieldsOf = (request: object) =>
      expandMethod({ metric: 'panelDownload', method: 'ofcom-2023', ...request });
    const common = { household: { statistic: 'mean' }, percentileRule: 'lower' };
    const include = (id: string) => [{ id, filterType: 'include', filterValues: ['x'] }];
    expect(fieldsOf({})).to.include({ weight: 'custom.weight' }).and.deep.include(common);
    const ofAreas = fieldsOf({ splits: ['custom.urban_rural'] });
    expect(ofAreas).to.include({ weight: 'custom.weight_rural' }).and.deep.include(common);
    for (const request of [
      { splits: ['isp'] },
      { splits: ['custom.urban_rural'], filters: include('package') },
    ]) {
      expect(fieldsOf(request)).to.include({ weight: 'custom.weight_isp' });
      const ofResults = fieldsOf({ ...request, metric: 'httpget' });
      expect(ofResults).to.deep.nested.include({ 'window.hours': [20, 21] });
    }
    expect(fieldsOf({ metric: 'httpget' })).to.not.have.property('window');
  });

  it('of the FCC’s method follow from which values are better: 80/80 is the worse end', () => {
    const fieldsOf = (metric: string) =>
      expandMethod({ metric, method: 'fcc-2018' }) as Record<string, unknown>;
    const consistentOf = (metric: string) => fieldsOf(metric).consistent;
    expect(consistentOf('httpget')).to.deep.equal({ households: 20, results: 20 });
    expect(consistentOf('udpLatency')).to.deep.equal({ households: 80, results: 80 });
    expect(consistentOf('udpPacketLoss')).to.deep.equal({ households: 80, results: 80 });
    expect(consistentOf('httpget_retrans')).to.deep.equal({ households: 80, results: 80 });
    expect(fieldsOf('networkUsageDown')).not.to.have.property('consistent');
    const trimOf = (metric: string) => (fieldsOf(metric).household as { trim?: unknown }).trim;
    expect(trimOf('httpget')).to.deep.equal([1, 99]);
    expect(trimOf('udpLatency')).to.deep.equal([null, 99]);
    expect(trimOf('networkUsageDown')).to.deep.equal([1, 99]);
    expect(trimOf('udpPacketLoss')).to.equal(undefined);
    const explicit = { metric: 'udpLatency', consistent: { households: 20, results: 20 } };
    expect(expandMethod({ ...explicit, method: 'fcc-2018' })).to.deep.include(explicit);
  });

  it('are parsed', () => {
    const report = reportOf({
      household: { statistic: 'p97.5', trim: [null, 99], trimOver: 'range', minResults: 5 },
      relativeTo: { field: 'advertised', of: 'result' },
      weight: 'custom.weight',
      shares: [100, 30, 30],
      consistent: { households: 20, results: 25 },
      switchers: 'longest',
      minAgents: 25,
      overBuckets: { atLeast: 90 },
    });
    expect(report?.household).to.deep.equal({
      statistic: { kind: 'percentile', percent: 97.5 },
      trim: { low: null, high: 99, over: 'range' },
      minResults: 5,
      minDays: 0,
    });
    expect(report?.relativeTo).to.deep.include({ of: 'result' });
    expect(report?.relativeTo?.field.source).to.deep.equal({ kind: 'custom', key: 'advertised' });
    expect(report?.weight?.source).to.deep.equal({ kind: 'custom', key: 'weight' });
    expect(report?.shares).to.deep.equal({ thresholds: [30, 100], of: 'households' });
    expect(report?.consistent).to.deep.equal({ households: 20, results: 25 });
    expect(report?.switchers).to.equal('longest');
    expect(report?.minAgents).to.equal(25);
    expect(report?.overBuckets).to.deep.equal({ kind: 'share', atLeast: 90 });
  });

  it('have the schedule of the test, or one of the request, until the time of the request', () => {
    const untilUtc = '2026-02-14 10:20:30';
    expect(reportOf({ coverage: true })?.coverage).to.deep.equal({ resultsPerHour: 0.5, untilUtc });
    const { coverage } = reportOf({ metric: 'dnsResponse', coverage: { resultsPerHour: 3 } }) ?? {};
    expect(coverage).to.deep.equal({ resultsPerHour: 3, untilUtc });
    expect(reportOf({ coverage: false })?.coverage).to.equal(undefined);
  });

  it('have defaults', () => {
    expect(reportOf({ household: { statistic: 'trimmedMean' } })?.household).to.deep.equal({
      statistic: { kind: 'mean' },
      trim: { low: 1, high: 99, over: 'window' },
      minResults: 0,
      minDays: 0,
    });
    expect(reportOf({ relativeTo: 'advertised' })?.relativeTo?.of).to.equal('result');
    expect(reportOf({ relativeTo: 'advertised', household })?.relativeTo?.of).to.equal('household');
    expect(reportOf({ agent_agg: true, weight: 'weight' })?.household?.statistic).to.deep.equal({
      kind: 'mean',
    });
  });

  it('have columns whose names no split can have, whether or not the request is for a report', () => {
    const context = { ...parseContext, customKeys: ['shares', 'share30', 'partial', 'leftOut'] };
    const splits = ['shares', 'share30', 'custom.leftOut'];
    for (const changes of [{}, { household }]) {
      const errors = errorsWith({ splits, ...changes }, context);
      expect(Object.keys(errors)).to.deep.equal(['splits[0]', 'splits[1]']);
      expect(errors['splits[0]']).to.deep.equal([
        '"shares" is a reserved name. Send "custom.shares".',
      ]);
    }
    expect(Object.keys(errorsWith({ splits: ['partial'] }, context))).to.deep.equal(['splits[0]']);
  });

  const invalid: readonly (readonly [string, object, string, RegExp])[] = [
    [
      'a percentile above 100',
      { household: { statistic: 'p101' } },
      'household[statistic]',
      /p0 to p100/,
    ],
    [
      'an unknown statistic',
      { household: { statistic: 'avg' } },
      'household[statistic]',
      /Unknown statistic/,
    ],
    ['no statistic', { household: {} }, 'household[statistic]', /Required/],
    ['a text as household', { household: 'mean' }, 'household', /Send an object/],
    [
      'a negative trim',
      { household: { ...household, trim: [-1, 99] } },
      'household[trim]',
      /0 to 100/,
    ],
    [
      'a trim in descending order',
      { household: { ...household, trim: [99, 1] } },
      'household[trim]',
      /must be below/,
    ],
    [
      'a trim that is open at both ends',
      { household: { ...household, trim: [null, null] } },
      'household[trim]',
      /one of them/,
    ],
    [
      'trimOver without trim',
      { household: { ...household, trimOver: 'range' } },
      'household[trimOver]',
      /Send trim too/,
    ],
    [
      'a minimum of 0',
      { household: { ...household, minResults: 0 } },
      'household[minResults]',
      /whole number from 1/,
    ],
    [
      'half a day',
      { household: { ...household, minDays: 0.5 } },
      'household[minDays]',
      /whole number from 1/,
    ],
    ['an empty window', { window: {} }, 'window', /days, hours or both/],
    ['no hours', { window: { hours: [] } }, 'window[hours]', /at least one/],
    ['hour 24', { window: { hours: [23, 24] } }, 'window[hours][1]', /0 to 23/],
    ['an unknown day', { window: { days: ['monday'] } }, 'window[days][0]', /mon, tue/],
    [
      'invert as text',
      { window: { hours: [1], invert: 'yes' } },
      'window[invert]',
      /true or false/,
    ],
    ['an unknown field', { relativeTo: 'custom.nothing' }, 'relativeTo[field]', /Unknown field/],
    [
      'a field that is not custom',
      { relativeTo: 'isp' },
      'relativeTo[field]',
      /not a custom field/,
    ],
    [
      'a field without numbers',
      { relativeTo: { field: 'tier' } },
      'relativeTo[field]',
      /No value of tier is a number/,
    ],
    [
      'a weight without numbers',
      { household, weight: 'tier' },
      'weight',
      /No value of tier is a number/,
    ],
    ['negative weights', { household, weight: 'balance' }, 'weight', /negative values, such as -3/],
    ['a weight without households', { weight: 'weight' }, 'weight', /Send household too/],
    [
      'relative households without households',
      { relativeTo: { field: 'advertised', of: 'household' } },
      'relativeTo[of]',
      /Send household too/,
    ],
    ['thresholds without households', { shares: [30] }, 'shares', /Send household too/],
    [
      'shares of results with households',
      { household, shares: { thresholds: [30], of: 'results' } },
      'shares[of]',
      /Send "households"/,
    ],
    ['no thresholds', { household, shares: [] }, 'shares[thresholds]', /1 to 20 thresholds/],
    ['thresholds as text', { household, shares: ['30'] }, 'shares[thresholds]', /Send numbers/],
    [
      '80/80 without households',
      { consistent: { households: 20, results: 20 } },
      'consistent',
      /Send household too/,
    ],
    [
      'a percentile of 120',
      { household, consistent: { households: 120, results: 20 } },
      'consistent[households]',
      /0 to 100/,
    ],
    ['unknown switchers', { switchers: 'shortest' }, 'switchers', /asOf, longest, drop/],
    ['a negative minimum of agents', { minAgents: -1 }, 'minAgents', /whole number from 1/],
    ['intervals as a number', { householdIntervals: 1 }, 'householdIntervals', /true or false/],
    ['intervals of the extremes', { intervalsOf: [0, 50] }, 'intervalsOf', /between 0 and 100/],
    ['intervals of nothing', { intervalsOf: [] }, 'intervalsOf', /1 to 20 percentiles/],
    [
      'strata of results',
      { householdIntervals: true, strata: 'target' },
      'strata',
      /not metadata of a household/,
    ],
    ['strata without intervals', { strata: 'isp' }, 'strata', /"householdIntervals": true/],
    [
      'buckets of a total',
      { aggregation: 'total', overBuckets: 'busiest' },
      'overBuckets',
      /aggregation with buckets/,
    ],
    [
      'an unknown second aggregation',
      { overBuckets: 'quietest' },
      'overBuckets',
      /"busiest": true/,
    ],
    [
      'two second aggregations',
      { overBuckets: { busiest: true, atLeast: 1 } },
      'overBuckets',
      /or a/,
    ],
    ['no second aggregation', { overBuckets: { busiest: false } }, 'overBuckets', /or a/],
    ['coverage as a number', { coverage: 1 }, 'coverage', /Send {}, or/],
    [
      'no results per hour',
      { coverage: { resultsPerHour: -1 } },
      'coverage[resultsPerHour]',
      /above 0 and up to 3,600/,
    ],
    [
      'coverage without a schedule',
      { metric: 'dnsResponse', coverage: true },
      'coverage',
      /test dns/,
    ],
    [
      'coverage by a field of results',
      { coverage: true, splits: ['isp', 'threads'] },
      'coverage',
      /split or filter by threads/,
    ],
    [
      'coverage of one unit',
      { coverage: true, filters: [{ id: 'unit', filterType: 1, filterValues: ['7'] }] },
      'coverage',
      /split or filter by unit/,
    ],
    [
      'coverage over buckets',
      { coverage: true, overBuckets: 'busiest' },
      'coverage',
      /overBuckets/,
    ],
    [
      'coverage of ranges between instants',
      {
        coverage: true,
        time: undefined,
        times: [plainRequest.time, { from: '-2 days', to: 'now' }],
      },
      'coverage',
      /local times in all of them/,
    ],
    ['raw data', { chartType: 'raw', household }, 'household', /"chartType": "aggregate"/],
    ['time and times', { times: [plainRequest.time] }, 'times', /not both/],
    ['no ranges', { time: undefined, times: [] }, 'times', /1 to 12 ranges/],
    [
      'a range without end',
      { time: undefined, times: [{ from: '2026-01-01' }] },
      'times[0][to]',
      /Required/,
    ],
  ];
  for (const [what, changes, path, message] of invalid) {
    it(`are refused with ${what}`, () => {
      const errors = errorsWith(changes);
      expect(Object.keys(errors)).to.deep.equal([path]);
      expect(errors[path]?.[0]).to.match(message);
    });
  }
});
