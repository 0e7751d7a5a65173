/** A published margin: the shares of its cells, and the cell of each household. */
export interface RakedMargin {
  /** They add up to 1. */
  readonly shares: readonly number[];
  readonly cellOf: Int32Array;
}

export interface RakeOptions {
  /** Households with 0 are left out and keep 0. */
  readonly start: Float64Array;
  /** Weights are from mean / bound to mean · bound. */
  readonly bound: number;
  /** How far the share of a cell may be from the published one. */
  readonly tolerance: number;
}

export interface RakedWeights<M extends RakedMargin> {
  /** Their mean is 1. */
  readonly weights: Float64Array;
  readonly rounds: number;
  /** Whether all shares are within the tolerance, and all weights within the bounds. */
  readonly holds: boolean;
  /** The cell whose share is furthest from the published one. */
  readonly worst: CellShare<M> | undefined;
  /** Cells with a share and without households. The other shares of their margin are divided by what they add up to. */
  readonly emptyCells: readonly CellOf<M>[];
}

export interface CellOf<M extends RakedMargin> {
  readonly margin: M;
  readonly cell: number;
}

interface CellShare<M extends RakedMargin> extends CellOf<M> {
  readonly share: number;
  readonly wanted: number;
}

const maxRounds = 200;
/** Of a share: further rounds would change only rounding errors. */
const exact = 1e-10;

/**
 * Iterative proportional fitting of households to margins, with bounds: in each round the weights are multiplied by the
 * factors of each margin in turn, and then cut to the bounds. Ends when the shares are exact, when the weights no longer
 * change, or after 200 rounds.
 */
export function rake<M extends RakedMargin>(
  margins: readonly M[],
  { start, bound, tolerance }: RakeOptions,
): RakedWeights<M> {
  const count = start.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0);
  const weights = start.map((weight) => (weight * count) / sumOf(start));
  const emptyCells = margins.flatMap((margin) => emptyCellsOf(margin, weights));
  const targets = margins.map((margin) => ({ margin, shares: sharesLeft(margin, weights) }));
  for (let round = 1; ; round++) {
    const before = weights.slice();
    for (const { margin, shares } of targets) scale(weights, margin, shares, count);
    cut(weights, 1 / bound, bound);
    const [worst] = targets.flatMap(cellShares).toSorted((a, b) => distance(b) - distance(a));
    const isStable = weights.every((weight, i) => Math.abs(weight - at(before, i)) < exact);
    if (distance(worst) > exact && !isStable && round < maxRounds) continue;
    const holds = distance(worst) <= tolerance;
    return { weights, rounds: round, holds, worst, emptyCells };
  }

  function cellShares({ margin, shares }: (typeof targets)[number]): CellShare<M>[] {
    return [...cellTotals(margin, weights)].map((total, cell) => ({
      margin,
      cell,
      share: total / count,
      wanted: shares[cell] ?? 0,
    }));
  }
}

function distance(cell: CellShare<RakedMargin> | undefined): number {
  return cell === undefined ? 0 : Math.abs(cell.share - cell.wanted);
}

/** (Σ w)² / Σ w²: how many households of equal weight would give as narrow intervals. */
export function effectiveHouseholds(weights: Float64Array): number {
  return sumOf(weights) ** 2 / sumOf(weights.map((weight) => weight ** 2));
}

/** The total weight of each cell. */
export function cellTotals({ shares, cellOf }: RakedMargin, weights: Float64Array): Float64Array {
  const totals = new Float64Array(shares.length);
  cellOf.forEach((cell, i) => (totals[cell] = at(totals, cell) + at(weights, i)));
  return totals;
}

function emptyCellsOf<M extends RakedMargin>(margin: M, weights: Float64Array): CellOf<M>[] {
  const totals = cellTotals(margin, weights);
  return margin.shares.flatMap((share, cell) =>
    share > 0 && at(totals, cell) === 0 ? [{ margin, cell }] : [],
  );
}

/** The shares of the cells that have households. */
function sharesLeft(margin: RakedMargin, weights: Float64Array): readonly number[] {
  const totals = cellTotals(margin, weights);
  const shares = margin.shares.map((share, cell) => (at(totals, cell) > 0 ? share : 0));
  return shares.map((share) => share / sumOf(shares));
}

function scale(
  weights: Float64Array,
  margin: RakedMargin,
  shares: readonly number[],
  count: number,
): void {
  const factors = cellTotals(margin, weights).map((total, cell) =>
    total > 0 ? ((shares[cell] ?? 0) * count) / total : 0,
  );
  margin.cellOf.forEach((cell, i) => (weights[i] = at(weights, i) * at(factors, cell)));
}

function cut(weights: Float64Array, lowest: number, highest: number): void {
  weights.forEach((weight, i) => {
    if (weight > 0) weights[i] = Math.min(Math.max(weight, lowest), highest);
  });
}

function sumOf(numbers: Float64Array | readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

function at(list: Float64Array, i: number): number {
  return list[i] ?? 0;
}
