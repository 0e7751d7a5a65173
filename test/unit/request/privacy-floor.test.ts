import { expect } from 'chai';
import { metricFields, standardFields } from '../../../services/catalog/fields.ts';
import type { ParseContext } from '../../../services/query/request/parse-context.ts';
import { parseTestQuery } from '../../../services/query/request/parse-test-query.ts';
import { AppError } from '../../../services/shared/errors/app-error.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';

const floored: ParseContext = { ...parseContext, minAgents: 10 };
const filterOn = (id: string, filterType: string) => ({
  filters: [{ id, filterType, filterValues: ['1'] }],
});

describe('a request of a caller with a privacy floor', () => {
  it('is compiled with the floor, or with its own minimum if that is larger', () => {
    const floorOf = (changes: object) => metricQuery({ ...changes }, floored);
    expect(floorOf({})).to.include({ floor: 10 }).and.not.to.have.property('report');
    expect(floorOf({ minAgents: 2 })).to.include({ floor: 10 });
    expect(floorOf({ minAgents: 25 })).to.include({ floor: 25 });
    expect(metricQuery({ minAgents: 25 })).not.to.have.property('floor');
  });

  it('is refused if it asks for raw data, or uses a field that identifies a household', () => {
    const rule = 'which identifies one household.';
    const cases: readonly (readonly [object, string])[] = [
      [{ chartType: 'raw' }, 'It reads no raw data: send "chartType": "aggregate".'],
      [{ splits: ['isp', 'agent'] }, `splits[1] must not be agent, ${rule}`],
      [{ splits: ['unit'] }, `splits[0] must not be unit, ${rule}`],
      [filterOn('agent', 'include'), `filters[0][id] must not be agent, ${rule}`],
      [filterOn('unit', 'exclude'), `filters[0][id] must not be unit, ${rule}`],
    ];
    for (const [changes, message] of cases) {
      expect(refusalOf(() => metricQuery({ ...changes }, floored))).to.include({
        code: 'PRIVACY_FLOOR',
        status: 403,
        publicMessage: `This token reads only points of at least 10 agents. ${message}`,
      });
      expect(() => metricQuery({ ...changes })).not.to.throw();
    }
  });

  it('is refused for test data, also if it is invalid', () => {
    expect(refusalOf(() => parseTestQuery({}, floored)).code).to.equal('PRIVACY_FLOOR');
    expect(refusalOf(() => parseTestQuery({}, parseContext)).code).to.equal('VALIDATION_FAIL');
  });

  it('cannot be split by a custom field with the name of a column that points have', () => {
    const context = { ...floored, customKeys: ['suppressed'] };
    const { errors } = refusalOf(() => metricQuery({ splits: ['suppressed'] }, context));
    expect(errors).to.deep.equal({
      'splits[0]': ['"suppressed" is a reserved name. Send "custom.suppressed".'],
    });
    expect(metricQuery({ splits: ['custom.suppressed'] }, context).splits).to.have.length(1);
  });

  it('finds every field over a column that identifies a household marked in the catalogue', () => {
    const identifying = [...standardFields, ...metricFields].filter(
      ({ source }) =>
        source.kind === 'column' && /^(agent|unit|mac|subscriber|device)_/.test(source.column),
    );
    expect(identifying.map(({ name }) => name)).to.deep.equal(['agent', 'unit']);
    for (const field of identifying) expect(field.identifiesHousehold, field.name).to.equal(true);
  });
});

function refusalOf(parse: () => unknown): AppError {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The request was accepted');
}
