import { expect } from 'chai';
import { fieldErrorsOf, fieldPath } from '../../../services/shared/http/error-handler.ts';

describe('field paths in errors', () => {
  for (const [path, expected] of [
    ['/body/time/from', 'time[from]'],
    ['/body/filters/0/id', 'filters[0][id]'],
    ['/body/splits/1', 'splits[1]'],
    ['/query/limit', 'limit'],
    ['/params/value', 'value'],
    ['/body', 'body'],
  ] as const) {
    it(`${path} becomes ${expected}`, () => {
      expect(fieldPath(path)).to.equal(expected);
    });
  }

  it('can be names of inherited object properties', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      const errors = fieldErrorsOf([{ path: `/query/${name}`, message: 'is unknown' }]);
      expect(Object.entries(errors)).to.deep.equal([[name, ['Is unknown.']]]);
    }
  });

  it('collect all messages of one field', () => {
    const problems = [
      { path: '/body/metric', message: 'must be string' },
      { path: '/body/metric', message: 'must not be empty.' },
    ];
    expect(fieldErrorsOf(problems)).to.deep.equal({
      metric: ['Must be string.', 'Must not be empty.'],
    });
  });
});
