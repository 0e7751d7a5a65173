import { expect } from 'chai';
import {
  cellTotals,
  effectiveHouseholds,
  rake,
  type RakedMargin,
} from '../../../services/metadata/weights/rake.ts';

/** The table that textbooks fit to the row totals 150, 300, 400, 150 and the column totals 200, 300, 400, 100. */
const table = [
  [40, 30, 20, 10],
  [35, 50, 100, 75],
  [30, 80, 70, 120],
  [20, 30, 40, 50],
];
const rowShares = [0.15, 0.3, 0.4, 0.15];
const columnShares = [0.2, 0.3, 0.4, 0.1];

const loose = { bound: 1e6, tolerance: 1e-6 };

describe('raking', () => {
  it('fits the table of the textbook: the margins hold, and the odds ratios stay', () => {
    const cells = table.flat();
    const rows = margin(rowShares, (i) => Math.floor(i / 4), cells.length);
    const columns = margin(columnShares, (i) => i % 4, cells.length);
    const fitted = rake([rows, columns], { start: Float64Array.from(cells), ...loose });
    const shares = [...fitted.weights].map((weight) => weight / cells.length);
    expect(fitted.holds).to.equal(true);
    for (const [margin, wanted] of [
      [rows, rowShares],
      [columns, columnShares],
    ] as const) {
      [...cellTotals(margin, fitted.weights)].forEach((total, cell) =>
        expect(total / cells.length).to.be.closeTo(wanted[cell]!, 1e-8),
      );
    }
    // The fitted table is the only one with these margins and the odds ratios of the first.
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const ratio = (list: readonly number[]) => {
          const at = (i: number, j: number) => list[4 * (row + i) + column + j]!;
          return (at(0, 0) * at(1, 1)) / (at(0, 1) * at(1, 0));
        };
        expect(ratio(shares)).to.be.closeTo(ratio(cells), 1e-6);
      }
    }
    // As published for this example: 64.56 of 1,000 in the first cell, 161.3 in the third row and column.
    expect(shares[0]! * 1000).to.be.closeTo(64.56, 0.01);
  });

  it('of one margin is post-stratification', () => {
    const { weights, rounds } = rake([margin([0.5, 0.5], (i) => (i < 2 ? 0 : 1), 8)], {
      start: new Float64Array(8).fill(1),
      ...loose,
    });
    expect([...weights]).to.deep.equal([2, 2, ...Array<number>(6).fill(2 / 3)]);
    expect(rounds).to.equal(1);
    expect(effectiveHouseholds(weights)).to.be.closeTo(64 / (8 + 6 * (4 / 9)), 1e-9);
  });

  it('keeps the bounds and the margins, where both can hold', () => {
    const random = numbers(7);
    const count = 400;
    const draws = Array.from({ length: count }, () => random());
    const cellsOf = [
      draws.map((draw) => (draw < 0.06 ? 0 : draw < 0.5 ? 1 : 2)),
      draws.map(() => (random() < 0.1 ? 0 : 1)),
    ];
    const margins = [
      margin([0.25, 0.4, 0.35], (i) => cellsOf[0]![i]!, count),
      margin([0.3, 0.7], (i) => cellsOf[1]![i]!, count),
    ];
    const start = new Float64Array(count).fill(1);
    const free = rake(margins, { start, ...loose });
    expect(Math.max(...free.weights)).to.be.above(8);
    const fitted = rake(margins, { start, bound: 5, tolerance: 1e-6 });
    expect(fitted.holds).to.equal(true);
    expect(Math.max(...fitted.weights)).to.be.at.most(5);
    expect(Math.min(...fitted.weights)).to.be.at.least(0.2);
    expect(fitted.rounds).to.be.above(free.rounds);
    margins.forEach((one) =>
      [...cellTotals(one, fitted.weights)].forEach((total, cell) =>
        expect(total / count).to.be.closeTo(one.shares[cell]!, 1e-6),
      ),
    );
  });

  it('names the cell that cannot hold within the bounds', () => {
    const own = margin([0.9, 0.1], (i) => (i === 0 ? 0 : 1), 20);
    const fitted = rake([own], {
      start: new Float64Array(20).fill(1),
      bound: 5,
      tolerance: 1e-6,
    });
    expect(fitted.holds).to.equal(false);
    expect(fitted.worst).to.include({ margin: own, cell: 0, share: 0.25 });
    expect(fitted.worst!.wanted).to.be.closeTo(0.9, 1e-12);
  });

  it('divides by what is left if a cell has no households, or none that takes part', () => {
    const start = Float64Array.from([1, 1, 1, 0]);
    const own = margin([0.2, 0.2, 0.4, 0.2], (i) => [0, 1, 1, 2][i]!, 4);
    const fitted = rake([own], { start, ...loose });
    expect(fitted.emptyCells).to.deep.equal([
      { margin: own, cell: 2 },
      { margin: own, cell: 3 },
    ]);
    expect([...fitted.weights]).to.deep.equal([1.5, 0.75, 0.75, 0]);
  });
});

function margin(
  shares: readonly number[],
  cellOf: (i: number) => number,
  count: number,
): RakedMargin {
  return { shares, cellOf: Int32Array.from({ length: count }, (_, i) => cellOf(i)) };
}

/** Reproducible numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
