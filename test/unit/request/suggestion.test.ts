import { expect } from 'chai';
import fc from 'fast-check';
import { noGrants, suggestion } from '../../../services/query/request/suggestion.ts';

const metrics = ['httpget', 'httppost', 'dnsFail', 'isp'];

describe('the suggestion for an unknown name', () => {
  for (const [typed, meant] of [
    ['httpgt', 'httpget'],
    ['httpgetx', 'httpget'],
    ['htptget', 'httpget'],
    ['HTTPPOST', 'httppost'],
    ['ips', 'isp'],
    ['dnsfail', 'dnsFail'],
  ] as const) {
    it(`is ${meant} for ${typed}`, () => {
      expect(suggestion(typed, metrics)).to.equal(`Did you mean "${meant}"?`);
    });
  }

  it('finds every name within three edits, and no other', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', 'c'),
      minLength: 9,
      maxLength: 64,
    });
    fc.assert(
      fc.property(
        letters,
        letters,
        fc.array(fc.nat(63), { maxLength: 4 }),
        (name, other, edits) => {
          const edited = edits.reduce(
            (text, at) => `${text.slice(0, at)}x${text.slice(at + 1)}`,
            name,
          );
          for (const typed of [edited, other]) {
            const isFound = suggestion(typed, [name]) === `Did you mean "${name}"?`;
            expect(isFound, typed).to.equal(plainDistance(typed, name) <= 3);
          }
        },
      ),
    );
  });

  it('is the nearest of several similar names', () => {
    expect(suggestion('tier_33', ['tier_1', 'tier_3'])).to.equal('Did you mean "tier_3"?');
  });

  it('lists the names if none is similar', () => {
    expect(suggestion('zzz', metrics)).to.equal('Send one of: httpget, httppost, dnsFail, isp.');
  });

  it('says what to do if there is no name at all', () => {
    expect(suggestion('zzz', [])).to.equal('There are none.');
    expect(suggestion('httpget', [], noGrants('metric'))).to.equal(
      'Your organisation has access to no metric. An operator grants it with netpanel grant metric.',
    );
  });

  it('lists at most ten names and says how many more there are', () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `key_${i}`);
    expect(suggestion('zzz', names)).to.equal(
      `Send one of: ${names.slice(0, 10).join(', ')} and 1990 more.`,
    );
  });

  it('stays short whatever the names are', () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `${i}-${'x'.repeat(10_000)}`);
    expect(suggestion('y'.repeat(1_000_000), names).length).to.be.below(3_000);
  });
});

/** Damerau-Levenshtein distance by its definition. */
function plainDistance(from: string, to: string): number {
  const cells: number[][] = [];
  const cell = (i: number, j: number) => cells[i]?.[j] ?? Infinity;
  for (let i = 0; i <= from.length; i++) {
    cells.push([]);
    for (let j = 0; j <= to.length; j++) {
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      cells[i]![j] =
        i === 0 && j === 0
          ? 0
          : Math.min(
              cell(i - 1, j) + 1,
              cell(i, j - 1) + 1,
              cell(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1),
              isSwap ? cell(i - 2, j - 2) + 1 : Infinity,
            );
    }
  }
  return cell(from.length, to.length);
}
