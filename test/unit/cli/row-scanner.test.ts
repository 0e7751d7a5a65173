import { expect } from 'chai';
import fc from 'fast-check';
import { fieldCheck, requiredTime } from '../../../services/results/fields/field-check.ts';
import { maxRowBytes } from '../../../services/results/rows/row-reader.ts';
import { RowScanner } from '../../../services/results/rows/row-scanner.ts';
import { rowText } from '../../../services/results/rows/scanned-rows.ts';

const shape = {
  names: ['unit_id', 'dtime', 'target', 'rtt'],
  checks: [fieldCheck('UInt64'), requiredTime, fieldCheck('String'), fieldCheck('UInt32')],
  isKey: [false, true, true, false],
  timeColumn: 1,
  agentColumn: 0,
  separator: ',',
} as const;
const time = '2026-11-15 10:00:00';

/** Scans a text in blocks of this size. */
function scan(text: string | Buffer, blockBytes = 8 * maxRowBytes) {
  const scanner = new RowScanner(
    shape,
    (bytes, start, end) => {
      const digits = bytes.toString('latin1', start, end);
      return /^\d+$/.test(digits) ? Number(digits) : undefined;
    },
    2,
  );
  const rows: { line: number; text: string; agent: number }[] = [];
  const rejected: { line: number; reason: string; text: string }[] = [];
  let rest = Buffer.from(text);
  for (let isLast = false; !isLast;) {
    isLast = rest.length <= blockBytes;
    const length = Math.min(rest.length, blockBytes);
    const block = Buffer.concat([rest.subarray(0, length), Buffer.alloc(1)]);
    const found = scanner.scan(block, length, isLast);
    for (let i = 0; i < found.count; i++) {
      rows.push({
        line: found.lines[i]!,
        agent: found.agents[i]!,
        text: rowText(block, found, i).toString(),
      });
    }
    rejected.push(
      ...found.rejected.map(({ line, reason, text }) => ({ line, reason, text: text.toString() })),
    );
    rest = rest.subarray(found.consumedBytes);
    // A block without a row end grows until it has one. Real blocks always have one.
    if (found.consumedBytes === 0) blockBytes *= 2;
  }
  return { rows, rejected };
}

const reasonOf = (text: string | Buffer) => {
  const { rows, rejected } = scan(text);
  expect(rows).to.deep.equal([]);
  return rejected.map(({ reason }) => reason).join('; ');
};

describe('the row scanner', () => {
  it('splits rows at Unix and Windows line ends, with an optional one at the end', () => {
    const { rows, rejected } = scan(`1,${time},a,5\r\n2,${time},b,\n\n3,${time},c,7`);
    expect(rejected).to.deep.equal([]);
    expect(rows).to.deep.equal([
      { line: 2, agent: 1, text: `1,${time},a,5` },
      { line: 3, agent: 2, text: `2,${time},b,` },
      { line: 5, agent: 3, text: `3,${time},c,7` },
    ]);
  });

  it('treats commas, quotes and line ends in quotes as text, and counts the lines', () => {
    const { rows } = scan(`1,${time},"a, ""b""\nc",5\n2,${time},d,6\n`);
    expect(rows.map(({ line }) => line)).to.deep.equal([2, 4]);
    expect(rows[0]?.text).to.equal(`1,${time},"a, ""b""\nc",5`);
  });

  it('reports the reason for an invalid row', () => {
    expect(reasonOf(`1,${time},a\n`)).to.equal('3 columns, but the header has 4');
    expect(reasonOf(`1,${time},a,5,6\n`)).to.equal('5 columns, but the header has 4');
    expect(reasonOf(`,${time},a,5\n`)).to.equal('unit_id is missing or invalid');
    expect(reasonOf(`x,${time},a,5\n`)).to.match(/^unit_id must be a whole number/);
    expect(reasonOf(`1,,a,5\n`)).to.equal('dtime must be a UTC time such as 2026-11-15 18:30:00');
    expect(reasonOf(`1,2026-02-30 10:00:00,a,5\n`)).to.match(/^dtime must be a UTC time/);
    expect(reasonOf(`1,${time},a,4294967296\n`)).to.equal(
      'rtt must be a whole number from 0 to 4294967295',
    );
    expect(reasonOf(`1,${time},a,-1\n`)).to.match(/^rtt must be a whole number/);
    expect(reasonOf(`1,${time},"a"b,5\n`)).to.equal('text after the closing quote of target');
    expect(reasonOf(`1,${time},a\u0000b,5\n`)).to.equal('control character');
    expect(reasonOf(Buffer.from(`1,${time},caf\xe9,5\n`, 'latin1'))).to.match(/^not UTF-8/);
    expect(reasonOf(`1,${time},"a,5\n`)).to.equal('quote not closed');
  });

  it('rejects only one line for an unclosed quote', () => {
    const { rows, rejected } = scan(`1,${time},"a,5\n2,${time},b,6\n3,${time},c,7\n`);
    expect(rejected).to.deep.equal([
      { line: 2, reason: 'quote not closed', text: `1,${time},"a,5` },
    ]);
    expect(rows.map(({ line }) => line)).to.deep.equal([3, 4]);
  });

  it('rejects a row that is too long and continues after it, for any block size', () => {
    const long = 'x'.repeat(3 * maxRowBytes);
    const text = `1,${time},${long},5\n2,${time},b,6\n`;
    for (const blockBytes of [8 * maxRowBytes, 2 * maxRowBytes]) {
      const { rows, rejected } = scan(text, blockBytes);
      expect(rejected.map(({ line, reason }) => ({ line, reason }))).to.deep.equal([
        { line: 2, reason: 'row longer than 1048576 bytes' },
      ]);
      expect(rows).to.deep.equal([{ line: 3, agent: 2, text: `2,${time},b,6` }]);
    }
  });

  it('converts values in their rows and leaves the other rows as they are', () => {
    const { rows, rejected } = scan(
      `1.0,"2026-11-15T10:00:00Z",a,1.5\n2,${time},b,6\n3,2026-11-15,c,7\n`,
    );
    expect(rejected).to.deep.equal([]);
    expect(rows).to.deep.equal([
      { line: 2, agent: 1, text: `1,"${time}",a,2` },
      { line: 3, agent: 2, text: `2,${time},b,6` },
      { line: 4, agent: 3, text: '3,2026-11-15 00:00:00,c,7' },
    ]);
  });

  it('looks for the agent of valid rows only, never of a row that is cut by the end of a block', () => {
    const seen = new Set<string>();
    const text = `1001,${time},a,5\n1002,${time},b,6\n1003,${time},c,fast\n`;
    for (let size = 1; size < text.length; size++) {
      const scanner = new RowScanner(
        shape,
        (bytes, start, end) => {
          seen.add(bytes.toString('latin1', start, end));
          return 1;
        },
        2,
      );
      scanner.scan(Buffer.from(`${text.slice(0, size)} `), size, false);
    }
    expect([...seen]).to.have.members(['1001', '1002']);
  });

  it('finds the same rows for any block size', () => {
    const field = fc.constantFrom('a', '', '"q, ""q"""', '"two\nlines"', 'é', '"open', 'x"y');
    const row = fc.tuple(fc.nat(99), field, fc.constantFrom('5', '', 'bad', '7.5'));
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 12 }),
        fc.integer({ min: 1, max: 80 }),
        (all, size) => {
          const text = all
            .map(([unit, name, rtt]) => `${unit},${time},${name},${rtt}\r\n`)
            .join('');
          expect(scan(text, size)).to.deep.equal(scan(text));
        },
      ),
    );
  });
});
