import { expect } from 'chai';
import fc from 'fast-check';
import { JsonText } from '../../../services/ingest/rows/json-text.ts';
import { parseLine } from '../../../services/results/json/json-lines.ts';

const names = ['unit_id', 'dtime', 'target', 'bytes_sec', 'note'];
const first = '{"unit_id":1,"dtime":"2026-11-15 18:30:00","target":"a","bytes_sec":5,"note":null}';

/** Adds a line as the service does: copied if possible. Returns whether it was copied. */
function addLine(text: JsonText, json: string, line: number, mayCopy = true): boolean {
  // Of the bytes around a line the copier must use none.
  const before = Buffer.from('{"unit_id":7}\n');
  const bytes = Buffer.from(json);
  const block = Buffer.concat([before, bytes, Buffer.from('"}\n{"unit_id":8}')]);
  if (mayCopy && text.copy(block, before.length, before.length + bytes.length, line)) return true;
  const parsed = parseLine(bytes, line);
  if (parsed !== undefined && !('reason' in parsed)) text.add(parsed);
  return false;
}

function textAfterFirst(): JsonText {
  const parsed = parseLine(Buffer.from(first), 1);
  if (parsed === undefined || 'reason' in parsed) throw new Error('The first line is not valid');
  const text = new JsonText(names, [parsed]);
  text.add(parsed);
  return text;
}

function taken(text: JsonText): { readonly csv: string; readonly rejected: unknown } {
  const { bytes, length, rejected } = text.take();
  return { csv: bytes.toString('utf8', 0, length), rejected };
}

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('-0', '0', '-1', '007', '1.50', '0.5', '-0.5', '0.000001', '0.0000001', '1.'),
  fc.constantFrom('.5', '1e5', '1E-7', '12345678901234', '1234567890123456', '0.12345678901234567'),
  fc.constantFrom('+1', '--1', '-', '1 2', 'NaN', 'Infinity', '123456789.0123456789'),
);
const texts = fc.oneof(
  fc.string().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.constantFrom('" a"', '"a "', '"a,b"', '"a\\"b"', '"\\\\N"', '"\\u0041"', '""', '"a', '"a\tb"'),
);
const others = fc.constantFrom('true', 'false', 'null', 'nul', 'truefalse', '[]', '{}', '"x"y', '');
const plain = fc.constantFrom('17', '0.25', '"192.0.2.1"', '"2026-11-15 18:30:00"', 'true', 'null');
const value = fc.oneof(
  { weight: 12, arbitrary: plain },
  { weight: 1, arbitrary: fc.oneof(numbers, texts, others) },
);
const blanks = fc.constantFrom('', '', ' ', '  ', '\t');
const lines = fc
  .record({
    values: fc.array(value, { minLength: names.length, maxLength: names.length }),
    keys: fc.oneof(
      { weight: 4, arbitrary: fc.constant(names) },
      fc.shuffledSubarray([...names, 'Note', 'unknown']),
    ),
    blank: blanks,
    end: fc.constantFrom('}', '}', '}', '}', '} ', '}\r', '} x', '', ',}', '}{'),
  })
  .map(({ values, keys, blank, end }) => {
    const pairs = keys.map((key, i) => `"${key}"${blank}:${blank}${values[i % names.length]}`);
    return `{${blank}${pairs.join(`${blank},${blank}`)}${end}`;
  });

describe('rows of JSON objects as CSV', () => {
  it('are the same whether an object is copied or parsed', () => {
    let copied = 0;
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 4 }), (json) => {
        const [fast, parsed] = [textAfterFirst(), textAfterFirst()];
        for (const [i, line] of json.entries()) {
          if (addLine(fast, line, i + 2)) copied++;
          addLine(parsed, line, i + 2, false);
        }
        expect(taken(fast)).to.deep.equal(taken(parsed));
      }),
      { numRuns: 3000 },
    );
    expect(copied).to.be.greaterThan(500);
  });

  for (const json of [
    '{"unit_id":2,"dtime":"2026-11-15T18:31:00","target":"b","bytes_sec":12.5,"note":true}',
    '{"unit_id": 2, "dtime": "x", "target": "", "bytes_sec": -3, "note": false} ',
    `${first}\r`,
  ]) {
    it(`are copied: ${JSON.stringify(json)}`, () => {
      expect(addLine(textAfterFirst(), json, 2)).to.equal(true);
    });
  }

  it('are at the line of their object', () => {
    const text = textAfterFirst();
    addLine(text, first, 4);
    expect(taken(text).csv).to.equal(
      '1,2026-11-15 18:30:00,a,5,\n\n\n1,2026-11-15 18:30:00,a,5,\n',
    );
    addLine(text, first, 6);
    expect(taken(text).csv).to.equal('\n1,2026-11-15 18:30:00,a,5,\n');
  });
});
