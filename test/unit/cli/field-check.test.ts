import { expect } from 'chai';
import { fieldCheck } from '../../../services/results/fields/field-check.ts';

function accepts(type: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return fieldCheck(type).isValid(bytes, 0, bytes.length);
}

describe('the check of a CSV field', () => {
  it('accepts exactly the integers in the range of the column', () => {
    for (const [type, lowest, highest] of [
      ['UInt8', 0n, 255n],
      ['UInt16', 0n, 65_535n],
      ['Nullable(UInt32)', 0n, 4_294_967_295n],
      ['UInt64', 0n, 18_446_744_073_709_551_615n],
      ['Nullable(Int16)', -32_768n, 32_767n],
      ['Int64', -9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
    ] as const) {
      expect(accepts(type, String(lowest)), `${type} ${lowest}`).to.be.true;
      expect(accepts(type, String(highest)), `${type} ${highest}`).to.be.true;
      expect(accepts(type, String(highest + 1n)), `${type} ${highest + 1n}`).to.be.false;
      expect(accepts(type, String(lowest - 1n)), `${type} ${lowest - 1n}`).to.be.false;
    }
  });

  it('rejects text, fractions and lone signs as numbers', () => {
    for (const text of ['x', '1.0', '1e3', '-', '+1', '0x10', '1 2', 'NULL']) {
      expect(accepts('Int64', text), text).to.be.false;
    }
  });

  it('accepts an empty field, \\N and blanks around a value', () => {
    for (const text of ['', ' ', '\\N', ' 7 ']) expect(accepts('UInt32', text), text).to.be.true;
  });

  it('accepts only existing times and dates', () => {
    for (const text of ['2024-02-29 23:59:59', '2026-11-15T00:00:00', '2026-11-15 10:00:00.123']) {
      expect(accepts("DateTime64(3, 'UTC')", text), text).to.be.true;
    }
    for (const text of [
      '2023-02-29 00:00:00',
      '2026-13-01 00:00:00',
      '2026-11-15 24:00:00',
      '2026-11-15',
      '1969-12-31 23:59:59',
      '2106-01-01 00:00:00',
      '15/11/2026 10:00',
      '1700000000',
      '2026-11-15 10:00:00Z',
      '2026-11-15 10:00:00.',
      '2026-11-15 1a:00:00',
    ]) {
      expect(accepts("DateTime64(3, 'UTC')", text), text).to.be.false;
    }
    expect(accepts('Date', '2026-11-15')).to.be.true;
    expect(accepts('Date', '2026-11-31')).to.be.false;
  });

  it('accepts decimals for a floating-point number, but neither nan nor inf', () => {
    for (const text of ['0.03', '-1', '1.5e-3', ' 2.5 ', '']) {
      expect(accepts('Nullable(Float64)', text), text).to.be.true;
    }
    for (const text of ['nan', 'inf', '1e400', '0,03', '1.2.3', '-']) {
      expect(accepts('Nullable(Float64)', text), text).to.be.false;
    }
  });

  it('accepts true and false for a flag', () => {
    expect(accepts('Nullable(Bool)', 'true')).to.be.true;
    expect(accepts('Nullable(Bool)', 'perhaps')).to.be.false;
  });
});
