import { expect } from 'chai';
import fc from 'fast-check';
import { fieldCheck } from '../../../services/results/fields/field-check.ts';

const converted = (type: string, text: string, identifies = false) => {
  const conversion = fieldCheck(type, identifies).convert?.(text);
  return conversion && `${conversion.text}${conversion.change ? ` (${conversion.change})` : ''}`;
};

describe('the conversion of a CSV field', () => {
  for (const [text, stored] of [
    ['123.0', '123'],
    ['123.', '123'],
    [' 7.00 ', '7'],
    ['.0', '0'],
    ['1e3', '1000'],
    ['1.2345E+07', '12345000'],
    ['12300e-2', '123'],
    ['-5.0', '-5'],
    ['9223372036854775807.0', '9223372036854775807'],
    ['4709.4', '4709 (rounded)'],
    ['4709.5', '4710 (rounded)'],
    ['-0.5', '-1 (rounded)'],
    ['-0.4', '0 (rounded)'],
    ['1e-3', '0 (rounded)'],
    ['9223372036854775807.5', undefined],
    ['1e40', undefined],
    ['1e999', undefined],
    ['1,5', undefined],
    ['1.2.3', undefined],
    ['.', undefined],
    ['-', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['0x10', undefined],
    ['1'.repeat(1_000_000), undefined],
  ] as const) {
    it(`of the number ${text.slice(0, 30)} is ${stored ?? 'refused'}`, () => {
      expect(converted('Int64', text)).to.equal(stored);
    });
  }

  it('rounds no column that identifies a result, and stays in the range of the column', () => {
    expect(converted('UInt16', '8.0', true)).to.equal('8');
    expect(converted('UInt16', '8.5', true)).to.equal(undefined);
    expect(converted('UInt8', '255.4')).to.equal('255 (rounded)');
    expect(converted('UInt8', '255.5')).to.equal(undefined);
    expect(converted('UInt8', '-1.0')).to.equal(undefined);
  });

  it('keeps every integer that is written with a fraction or an exponent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(converted('Int64', `${value}.000`)).to.equal(String(value));
        expect(converted('Int64', `${value}e0`)).to.equal(String(value));
      }),
    );
  });

  for (const [text, stored] of [
    ['2026-11-15T18:30:00Z', '2026-11-15 18:30:00'],
    ['2026-11-15 18:30:00 UTC', '2026-11-15 18:30:00'],
    ['2026-11-15T18:30:00.123456Z', '2026-11-15 18:30:00.123456'],
    // Kathmandu is +05:45.
    ['2026-11-15T01:30:00+05:45', '2026-11-14 19:45:00'],
    ['2026-12-31T20:00:00.5-0500', '2027-01-01 01:00:00.5'],
    ['2026-11-15T18:30:00-05', '2026-11-15 23:30:00'],
    ['2026-11-15 18:30', '2026-11-15 18:30:00'],
    ['2026-11-15', '2026-11-15 00:00:00 (no time of day)'],
    ['2024-02-29', '2024-02-29 00:00:00 (no time of day)'],
    ['2026-02-30', undefined],
    ['2026-02-29T10:00:00Z', undefined],
    ['2026-13-01', undefined],
    ['2026-11-15T24:00:00Z', undefined],
    ['2026-11-15T10:60:00Z', undefined],
    ['2026-11-15T10:00:00+15:00', undefined],
    ['2026-11-15T10:00:00+05:60', undefined],
    ['1970-01-01T00:00:00+01:00', undefined],
    ['2105-12-31T23:00:00-01:00', undefined],
    ['15/11/2026', undefined],
    ['1700000000', undefined],
    ['2026-11-15Z', undefined],
    ['', undefined],
  ] as const) {
    it(`of the time ${text} is ${stored ?? 'refused'}`, () => {
      expect(converted("DateTime64(3, 'UTC')", text)).to.equal(stored);
    });
  }
});
