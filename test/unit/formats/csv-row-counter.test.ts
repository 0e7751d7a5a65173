import { expect } from 'chai';
import fc from 'fast-check';
import { CsvRowCounter } from '../../../services/query/formats/csv-row-counter.ts';

const csv = Buffer.from('"a","b"\n1,"x\ny"\n2,"""\n"\n,""\n');

describe('CsvRowCounter', () => {
  it('counts rows, not line ends in texts, wherever the bytes are split', () => {
    for (let at = 0; at <= csv.length; at++) {
      const counter = new CsvRowCounter();
      counter.add(csv.subarray(0, at));
      counter.add(csv.subarray(at));
      counter.finish();
      expect(counter.rows, `split at ${at}`).to.equal(3);
    }
  });

  it('counts any texts in chunks of any size', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', 'a', 'bcdefghi', 'é') });
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 1, max: 40 }), (texts, size) => {
        const rows = ['h', ...texts].map((one) => `"${one.replaceAll('"', '""')}"\n`);
        const bytes = Buffer.from(rows.join(''));
        const counter = new CsvRowCounter();
        for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
        counter.finish();
        return counter.rows === texts.length;
      }),
    );
  });

  it('rejects a file that ends within a row or has no header', () => {
    for (const cut of ['', '"a"', '"a"\n1', '"a"\n"x\n']) {
      const counter = new CsvRowCounter();
      counter.add(Buffer.from(cut));
      expect(() => counter.finish(), JSON.stringify(cut)).to.throw('ends within a row');
    }
  });
});
