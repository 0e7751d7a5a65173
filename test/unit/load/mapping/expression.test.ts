import { expect } from 'chai';
import fc from 'fast-check';
import { compileMapping } from '../../../../services/load/mapping/compile-mapping.ts';
import { CellError } from '../../../../services/load/mapping/evaluate-expression.ts';
import { MappingError } from '../../../../services/load/mapping-error.ts';

const columns = ['mbps', 'time', 'tier', 'state', 'down-time', 'All hour', 'All hour speed', 'a.b'];
const row = ['43.78', '', '50/20 Mbps', 'NSW', '9', '1', '2.5', '-3'];
const values = { zones: { NSW: 'Australia/Sydney' } };

function value(expression: string, cells: readonly string[] = row): string | undefined {
  return compileMapping({ columns: { target: expression }, values }, columns).apply({
    row: 1,
    cells,
  })[0];
}

function problem(expression: string, names: readonly string[] = columns): string {
  try {
    compileMapping({ columns: { target: expression }, values }, names);
  } catch (error) {
    expect(error).to.be.instanceOf(MappingError);
    return (error as Error).message;
  }
  throw new Error(`${expression} was accepted`);
}

describe('expressions of a mapping', () => {
  const cases: readonly (readonly [expression: string, value: string])[] = [
    ['mbps', '43.78'],
    ['MBPS', '43.78'],
    ['mbps*125000', '5472500'],
    ['mbps * 125000 + 1', '5472501'],
    ['2 - 3 * (1 + 1)', '-4'],
    ['10 / 4 / 5', '0.5'],
    ['-mbps - -1', '-42.78'],
    ['1e3 * .5', '500'],
    ['0.1 + 0.2', '0.3'],
    ['1 / 3', `0.${'3'.repeat(40)}`],
    ['a.b * 2', '-6'],
    ['All hour*2', '2'],
    ['All hour speed*2', '5'],
    ['"All hour speed" * 2', '5'],
    ['down-time * 2', '18'],
    ['time', ''],
    ['time * 5', ''],
    ["'it''s'", "it's"],
    ["part(part(tier, ' ', 1), '/', 2)", '20'],
    ["part(tier, '/', 1) * 125000", '6250000'],
    ["part(tier, '/', 9)", ''],
    ["part(tier, ' ', -1)", 'Mbps'],
    ["concat(state, ':', tier)", 'NSW:50/20 Mbps'],
    ["concat(state, ':', time)", ''],
    ["coalesce(time, state, 'none')", 'NSW'],
    ['lower(state)', 'nsw'],
    ["upper(lower('x'))", 'X'],
    ["replace('1.234,5', '.', '')", '1234,5'],
    ["replace(replace('1.234,5', '.', ''), ',', '.') * 2", '2469'],
    ['lookup(state, zones)', 'Australia/Sydney'],
    ["lookup(state, {'NSW': 'N', 'VIC': 'V'})", 'N'],
    ["lookup(tier, zones, 'UTC')", 'UTC'],
    ['lookup(time, zones)', ''],
    ['optional(no such column)', ''],
    ['optional(no such column)*8', ''],
    ['optional(state)', 'NSW'],
    ['row()', '1'],
    ["concat('panel-', row( ))", 'panel-1'],
    ['row() + 999', '1000'],
    ['coalesce(optional("x)"), state)', 'NSW'],
    ['"All.hour.speed" * 2', '5'],
    ['optional(DOWN TIME)', '9'],
    ['weight(mbps)', '43.78'],
    ['weight(time)', ''],
  ];
  for (const [expression, expected] of cases) {
    it(`${expression} is ${JSON.stringify(expected)}`, () => {
      expect(value(expression)).to.equal(expected);
    });
  }

  const errors: readonly (readonly [expression: string, problem: string])[] = [
    ['mbs*125000', 'unknown column "mbs". Did you mean "mbps"?'],
    ['"mbs"', 'Did you mean "mbps"?'],
    ['xylophone', 'unknown column "xylophone".\nThe file has: mbps, time'],
    ['lowr(state)', 'unknown function lowr. Did you mean lower?'],
    ["part(tier, '/')", "part has 2 arguments; it is used as part(text, 'separator', n)"],
    ["part(tier, '/', 0)", 'must be a whole number such as 1'],
    ["part(tier, '', 1)", 'the separator of'],
    ['lookup(state, zone)', 'unknown table zone. Tables under "values": zones.'],
    ["lookup(state, {'a': 'b', 'a': 'c'})", 'lookup has "a" twice'],
    ['mbps / 0', 'division by zero: mbps / 0'],
    ["mbps * 'x'", "'x' is text, not a number"],
    ['mbps 5', 'expected an operator at character 6, but found "5"'],
    ['mbps *', 'but the expression ends'],
    ['(mbps', 'expected ) at character 6'],
    ["'open", 'the quote at character 1 is not closed'],
    ['', 'but the expression ends'],
    [`${'('.repeat(60)}1${')'.repeat(60)}`, 'at most 50 levels of parentheses'],
    ['1'.repeat(5000), 'an expression has at most 4000 characters, not 5000'],
  ];
  for (const [expression, expected] of errors) {
    it(`${expression.slice(0, 40) || 'an empty expression'} is refused: ${expected}`, () => {
      expect(problem(expression)).to.contain(expected);
    });
  }

  it('a name that is also a difference of columns must be quoted', () => {
    const names = ['down', 'time', 'down-time'];
    expect(problem('down-time', names)).to.contain('write column names in double quotes');
    const { apply } = compileMapping(
      { columns: { a: '"down-time"', b: '"down"-"time"', c: 'down - time' } },
      names,
    );
    expect(apply({ row: 1, cells: ['5', '3', '100'] })).to.deep.equal(['100', '2', '2']);
  });

  it('a column that occurs twice in a file cannot be used', () => {
    expect(problem('x', ['x', 'x'])).to.contain('the file has several columns "x"');
  });

  it('all problems of a mapping are in one message', () => {
    expect(() => compileMapping({ columns: { a: 'mbs', b: 'tme', c: 'mbps' } }, columns)).to.throw(
      MappingError,
      /^a=mbs: .*"mbps"\?\nb=tme: .*"time"\?$/,
    );
  });

  it('reports the columns that are not used, and those that an expression reads', () => {
    const { targets, unusedColumns } = compileMapping(
      { columns: { a: 'mbps * a.b + mbps', b: "lookup(state, {'x': 'y'}, tier)" } },
      columns,
    );
    expect(targets.map(({ reads }) => reads)).to.deep.equal([
      ['mbps', 'a.b'],
      ['state', 'tier'],
    ]);
    expect(unusedColumns).to.deep.equal(['time', 'down-time', 'All hour', 'All hour speed']);
  });

  const cellErrors: readonly (readonly [string, string, string, string])[] = [
    ['tier * 2', 'tier must be a number', 'tier', '50/20 Mbps'],
    ["part(tier, ' ', 1) + 1", "part(tier, ' ', 1) must be a number", 'tier', '50/20'],
    ['mbps / (a.b + 3)', 'division by zero in mbps / (a.b + 3)', 'a.b', '0'],
    [
      'lookup(tier, zones)',
      'tier must be one of the values of the table zones',
      'tier',
      row[2] ?? '',
    ],
  ];
  for (const [expression, reason, column, cell] of cellErrors) {
    it(`${expression} of a row that does not fit: ${reason}`, () => {
      const { message, ...rest } = caught(() => value(expression));
      expect([message, rest.column, rest.value]).to.deep.equal([
        `${reason} (target = ${expression})`,
        column,
        cell,
      ]);
    });
  }

  it('is exact for any decimals', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
      .map(([units, scale]) => ({ units, scale, text: decimalText(units, scale) }));
    fc.assert(
      fc.property(decimal, decimal, decimal, (a, b, c) => {
        const cells = [a.text, b.text, c.text];
        const { apply } = compileMapping({ columns: { product: 'a * b - c', sum: 'a + b + c' } }, [
          'a',
          'b',
          'c',
        ]);
        // With a common scale of 24 the reference needs whole numbers only.
        const scaled = ({ units, scale }: typeof a) => units * 10n ** BigInt(24 - scale);
        const product = a.units * b.units * 10n ** BigInt(24 - a.scale - b.scale);
        expect(apply({ row: 1, cells })).to.deep.equal([
          decimalText(product - scaled(c), 24),
          decimalText(scaled(a) + scaled(b) + scaled(c), 24),
        ]);
      }),
      { numRuns: 500 },
    );
  });

  it('a quotient times its divisor is within the last of 40 decimals', () => {
    const whole = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const quotient = value('mbps / time', [String(a), String(b)]) ?? '';
        const [digits = '', decimals = ''] = quotient.split('.');
        const units = BigInt(digits + decimals.padEnd(40, '0'));
        expect(units).to.equal((a * 10n ** 40n) / b);
      }),
      { numRuns: 300 },
    );
  });
});

/** `decimalText(4378n, 2)` is 43.78, without zeros at the end. */
function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const decimals = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}

function caught(action: () => unknown): CellError {
  try {
    action();
  } catch (error) {
    expect(error).to.be.instanceOf(CellError);
    return error as CellError;
  }
  throw new Error('Nothing was thrown');
}
