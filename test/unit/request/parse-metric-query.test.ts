import { expect } from 'chai';
import { parseMetricQuery } from '../../../services/query/request/parse-metric-query.ts';
import { AppError, type FieldErrors } from '../../../services/shared/errors/app-error.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { plainRequest } from '../../support/plain-request.ts';

function errorsOf(body: unknown, context = parseContext): FieldErrors {
  return rejectionOf(body, context)?.errors ?? {};
}

function rejectionOf(body: unknown, context = parseContext): AppError | undefined {
  try {
    parseMetricQuery(body, context);
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_FAIL') return error;
    throw error;
  }
  return undefined;
}

const errorsWith = (changes: object) => errorsOf({ ...plainRequest, ...changes });

describe('a metric data request', () => {
  it('is parsed', () => {
    const query = metricQuery({
      metric: 'httpgetmt',
      normalised: true,
      agent_agg: true,
      splits: ['isp', 'tier'],
      filters: [{ id: 'threads', filterType: 1, filterValues: ['4'] }],
      time: { from: '2026-01-01 00:00', to: 'now' },
    });
    expect(query).to.deep.include({
      organisationId: 7,
      chartType: 'aggregate',
      aggregation: 'daily',
      normalised: true,
      prefilter: false,
      agentAgg: true,
      times: [
        {
          from: { kind: 'local', clock: '2026-01-01 00:00:00' },
          to: { kind: 'instant', utc: '2026-02-14 10:20:30' },
        },
      ],
    });
    expect(query.metric.key).to.equal('httpget');
    expect(query.splits.map(({ name }) => name)).to.deep.equal(['isp', 'tier']);
    expect(query.filters).to.have.length(1);
    expect(query.filters[0]).to.deep.include({ mode: 'include', values: ['4'] });
  });

  it('gets all errors at once, by field', () => {
    const errors = errorsOf({
      metric: 'httpgt',
      chartType: 'line',
      normalised: 'yes',
      splits: 'isp',
      filters: [{ id: 5, filterType: 'only', filterValues: [] }, 'isp'],
      time: { from: '2026-02-30 00:00' },
    });
    expect(Object.keys(errors)).to.have.members([
      'metric',
      'chartType',
      'normalised',
      'prefilter',
      'splits',
      'filters[0][id]',
      'filters[0][filterType]',
      'filters[0][filterValues]',
      'filters[1]',
      'time[from]',
      'time[to]',
    ]);
    expect(errors.metric).to.deep.equal(['Unknown metric "httpgt". Did you mean "httpget"?']);
  });

  it('has its fields checked even with an unknown metric', () => {
    const errors = errorsWith({ metric: 'httpgt', splits: ['ips', 'carrier_name'] });
    expect(Object.keys(errors)).to.deep.equal(['metric', 'splits[0]']);
    expect(errors['splits[0]']?.[0]).to.contain('Did you mean "isp"?');
  });

  it('is rejected if it is not an object', () => {
    for (const body of [undefined, null, [], 'x', 5]) {
      expect(errorsOf(body).body).to.deep.equal(['Send a JSON object.']);
    }
  });

  it('gets a suggestion for a misspelt aggregation, split or filter', () => {
    expect(errorsWith({ aggregation: 'dayly' }).aggregation).to.deep.equal([
      'Unknown aggregation. Did you mean "daily"?',
    ]);
    expect(errorsWith({ splits: ['isp', 'packge'] })['splits[1]']).to.deep.equal([
      'Unknown field "packge". Did you mean "package"?',
    ]);
    const sets = [{ id: 'set', filterType: 0, filterValues: ['pilot', 'pilots'] }];
    expect(errorsWith({ filters: sets })).to.deep.equal({
      'filters[0][filterValues][1]': ['Unknown set "pilots". Did you mean "pilot"?'],
    });
    expect(errorsWith({ splits: ['set'] })).to.have.property('splits[0]');
    const filters = [{ id: 'thread', filterType: 0, filterValues: ['4'] }];
    expect(errorsWith({ filters })['filters[0][id]']?.[0]).to.contain('Did you mean "threads"?');
  });

  it('gets some of the allowed values if none is similar', () => {
    expect(errorsWith({ splits: ['zzzzzzzz'] })['splits[0]']?.[0]).to.match(
      /^Unknown field "zzzzzzzz". Send one of: target_set, package, (\w+, ){7}\w+ and \d+ more\.$/,
    );
  });

  it('gets at most twenty problems, and is told so', () => {
    const filters = Array.from({ length: 50 }, () => ({ filterType: 1 }));
    const error = rejectionOf({ ...plainRequest, filters });
    expect(Object.keys(error?.errors ?? {})).to.have.length(20);
    expect(error?.message).to.equal('Validation failed');
    expect(Object.values(error?.errors ?? {}).at(-1)).to.include(
      'Only the first 20 problems are listed.',
    );
  });

  it('gets a short error for long names', () => {
    const name = 'x'.repeat(100_000);
    const filters = Array.from({ length: 3 }, () => ({ id: name, filterType: 1 }));
    const errors = errorsWith({ metric: name, splits: [name], filters });
    expect(Object.keys(errors)).to.have.length(8);
    expect(JSON.stringify(errors).length).to.be.below(10_000);
  });

  it('has unknown fields ignored, with a warning for each', () => {
    const filters = [{ id: 'isp', filterType: 1, filterValues: ['A'], filterValue: 'B' }];
    const time = { ...plainRequest.time, form: '2026-01-01' };
    const { warnings, splits } = parseMetricQuery(
      { ...plainRequest, split: ['isp'], filters, time },
      parseContext,
    );
    expect(splits).to.deep.equal([]);
    const code = 'UNKNOWN_FIELD';
    const message = (name: string) => `Ignored an unknown field. Did you mean "${name}"?`;
    expect(warnings).to.deep.equal([
      { code, field: 'split', message: message('splits') },
      { code, field: 'filters[0][filterValue]', message: message('filterValues') },
      { code, field: 'time[form]', message: message('from') },
    ]);
  });

  it('gets twenty short warnings at most, and is told so', () => {
    const unknown = Array.from({ length: 500 }, (_, i) => [`${i}${'x'.repeat(2_000)}`, 1]);
    const { warnings } = parseMetricQuery(
      { ...plainRequest, ...Object.fromEntries(unknown) },
      parseContext,
    );
    expect(warnings).to.have.length(21);
    expect(warnings[20]?.message).to.equal('Only the first 20 warnings are listed.');
    expect(JSON.stringify(warnings).length).to.be.below(10_000);
  });

  it('has no token in a warning', () => {
    const token = 'npd_abcdefghijklmnop';
    const { warnings } = parseMetricQuery({ ...plainRequest, [token]: 1 }, parseContext);
    expect(warnings[0]?.field).to.equal('[token]');
  });

  it('gets the fields of the metric for an unavailable field', () => {
    const errors = errorsWith({ metric: 'networkUsageDown', splits: ['target', 'model'] });
    expect(errors['splits[0]']?.[0]).to.match(/^Not available for networkUsageDown. Send one of: /);
    expect(errors['splits[0]']?.[0]).to.not.match(/target/);
    expect(errors).to.have.property('splits[1]');
  });

  it('requires an aggregation, except for raw data', () => {
    expect(errorsWith({ aggregation: undefined }).aggregation?.[0]).to.contain('hourly');
    expect(errorsWith({ aggregation: undefined, chartType: 'raw' })).to.deep.equal({});
  });

  it('is rejected for raw values of an aggregate-only metric', () => {
    expect(errorsWith({ metric: 'dnsFail', chartType: 'raw' }).chartType).to.deep.equal([
      'dnsFail has no raw data. Send "aggregate".',
    ]);
  });

  it('gets the same error for a metric without a grant as for an unknown one', () => {
    const context = { ...parseContext, metrics: ['dnsFail', 'httpget'] };
    expect(errorsOf({ ...plainRequest, metric: 'httpgetmt' }, context)).to.deep.equal({});
    const hidden = errorsOf({ ...plainRequest, metric: 'webgetAvg' }, context);
    const missing = errorsOf({ ...plainRequest, metric: 'webgetXyz' }, context);
    expect(hidden.metric?.[0]?.replace('Avg', 'Xyz')).to.equal(missing.metric?.[0]);
  });

  it('requires a time', () => {
    expect(errorsWith({ time: undefined }).time?.[0]).to.match(/^Required: send \{ "from"/);
  });

  it('is rejected for a reversed or too long range', () => {
    const range = (from: string, to: string) => errorsWith({ time: { from, to } });
    expect(range('2026-01-02 00:00', '2026-01-01 23:59:59')).to.have.property('time[from]');
    expect(range('2026-01-02 00:00', '2026-01-02 00:00')).to.deep.equal({});
    expect(range('now', '-1 days')).to.have.property('time[from]');
    expect(range('2024-01-01 00:00', '2026-01-01 00:00').time).to.deep.equal([
      'The range is too long; send at most 400 days.',
    ]);
  });

  it('may mix local times and relative times, within the range of time zone offsets', () => {
    const range = (from: string, to: string) => errorsWith({ time: { from, to } });
    expect(range('2026-02-14 20:00', 'now')).to.deep.equal({});
    expect(range('2026-02-15 00:30', 'now')).to.have.property('time[from]');
  });

  it('takes days from their first to their last second, in local time', () => {
    const time = { from: '2026-02-01', to: 'last monday' };
    expect(metricQuery({ time }).times[0]).to.deep.equal({
      from: { kind: 'local', clock: '2026-02-01 00:00:00' },
      to: { kind: 'local', clock: '2026-02-09 23:59:59' },
    });
    expect(metricQuery({ time: { from: 'this sat', to: 'this sat' } }).times[0]).to.deep.equal({
      from: { kind: 'local', clock: '2026-02-14 00:00:00' },
      to: { kind: 'local', clock: '2026-02-14 23:59:59' },
    });
  });

  it('accepts local times to the second or the minute only', () => {
    const clock = (from: string) => errorsWith({ time: { from, to: '2026-02-01 00:00' } });
    expect(clock('2026-01-31 23:59:59')).to.deep.equal({});
    expect(clock('2026-01-31 23:59')).to.deep.equal({});
    for (const text of [
      '2026-01',
      '2026-02-30',
      '2026-01-31T00:00:00',
      '2026-01-31 24:00:00',
      '2026-01-31 23:60:00',
      '2026-01-31 23:59:60',
      '2026-02-29 00:00:00',
      '2026-01-31 1:00',
      '2026-01-31 00:00:00Z',
      '1969-12-31 00:00:00',
    ]) {
      expect(clock(text), text).to.have.property('time[from]');
    }
  });

  it('accepts all spellings of include and exclude', () => {
    const mode = (filterType: unknown) =>
      metricQuery({ filters: [{ id: 'isp', filterType, filterValues: ['A'] }] }).filters[0]?.mode;
    for (const type of [1, '1', 'include', 'inclusive']) expect(mode(type)).to.equal('include');
    for (const type of [0, '0', 'exclude', 'exclusive']) expect(mode(type)).to.equal('exclude');
  });

  it('must have filter values as text, with integers for integer fields', () => {
    const values = (id: string, filterValues: unknown) =>
      errorsWith({ filters: [{ id, filterType: 1, filterValues }] });
    expect(values('threads', ['4', 'four', 4])).to.deep.equal({
      'filters[0][filterValues][1]': ['threads is a whole number; send it as "4".'],
      'filters[0][filterValues][2]': ['Send a string, such as "4".'],
    });
    expect(values('unit', ['99999999999999999'])).to.have.property('filters[0][filterValues][0]');
    expect(values('isp', ['a\0b', '\ud800'])).to.have.all.keys(
      'filters[0][filterValues][0]',
      'filters[0][filterValues][1]',
    );
    expect(values('isp', ['1', '2', '3', '4', '5', '6']).filters).to.deep.equal([
      '6 values in total; send at most 5.',
    ]);
  });

  it('must not repeat a split or exceed the maximum number', () => {
    expect(errorsWith({ splits: ['tier', 'custom.tier'] })['splits[1]']).to.deep.equal([
      'Duplicate split. Send each split once.',
    ]);
    expect(errorsWith({ splits: ['isp', 'unit', 'agent', 'base'] }).splits).to.deep.equal([
      '4 splits; send at most 3.',
    ]);
  });

  it('selects a custom field that shadows a standard one only by its long name', () => {
    const sources = metricQuery({ splits: ['isp', 'custom.isp'] }).splits.map(
      ({ source }) => source.kind,
    );
    expect(sources).to.deep.equal(['metadata', 'custom']);
    const context = { ...parseContext, customKeys: ['dtime', 'model'] };
    const body = { ...plainRequest, splits: ['dtime', 'custom.dtime', 'model'] };
    expect(errorsOf(body, context)).to.deep.equal({
      'splits[0]': ['"dtime" is a reserved name. Send "custom.dtime".'],
      'splits[2]': ['"model" is a reserved name. Send "custom.model".'],
    });
  });

  it('gets an error for a custom field of another organisation', () => {
    expect(errorsWith({ splits: ['custom.secret'] })['splits[0]']?.[0]).to.match(/^Unknown field/);
  });
});
