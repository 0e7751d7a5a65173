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

export interface RakedWeights {
  /** Their mean is 1. */
  readonly weights: Float64Array;
  readonly rounds: number;
  /** Whether all shares are within the tolerance, and all weights within the bounds. */
  readonly holds: boolean;
  /** The cell whose share is furthest from the published one. */
  readonly worst: CellShare;
  /** Cells with a share and without households. The other shares of their margin are divided by what they add up to. */
  readonly emptyCells: readonly Cell[];
}

interface Cell {
  /** Place of the margin. */
  readonly margin: number;
  readonly cell: number;
}

interface CellShare extends Cell {
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
export function rake(
  margins: readonly RakedMargin[],
  { start, bound, tolerance }: RakeOptions,
): RakedWeights {
  const count = start.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0);
  const mean = start.reduce((sum, weight) => sum + weight, 0) / count;
  const weights = start.map((weight) => weight / mean);
  const { targets, emptyCells } = targetsOf(margins, weights, count);
  for (let round = 1; ; round++) {
    const before = weights.slice();
    margins.forEach((margin, i) => scale(weights, margin, targets[i] ?? []));
    cut(weights, 1 / bound, bound);
    const worst = worstCell(margins, targets, weights, count);
    const distance = Math.abs(worst.share - worst.wanted);
    const isStable = weights.every((weight, i) => Math.abs(weight - at(before, i)) < exact);
    if (distance > exact && !isStable && round < maxRounds) continue;
    return { weights, rounds: round, holds: distance <= tolerance, worst, emptyCells };
  }
}

/** (Σ w)² / Σ w²: how many households of equal weight would give as narrow intervals. */
export function effectiveHouseholds(weights: Float64Array): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
}

/** The total weight of each cell. */
export function cellTotals({ shares, cellOf }: RakedMargin, weights: Float64Array): Float64Array {
  const totals = new Float64Array(shares.length);
  for (let i = 0; i < cellOf.length; i++) {
    const cell = at(cellOf, i);
    totals[cell] = at(totals, cell) + at(weights, i);
  }
  return totals;
}

function targetsOf(margins: readonly RakedMargin[], weights: Float64Array, count: number) {
  const emptyCells: Cell[] = [];
  const targets = margins.map((margin, i) => {
    const totals = cellTotals(margin, weights);
    const shares = margin.shares.map((share, cell) => {
      if (at(totals, cell) > 0) return share;
      if (share > 0) emptyCells.push({ margin: i, cell });
      return 0;
    });
    const sum = shares.reduce((total, share) => total + share, 0);
    return shares.map((share) => (share / sum) * count);
  });
  return { targets, emptyCells };
}

function scale(weights: Float64Array, margin: RakedMargin, targets: readonly number[]): void {
  const factors = cellTotals(margin, weights).map((total, cell) =>
    total > 0 ? (targets[cell] ?? 0) / total : 0,
  );
  for (let i = 0; i < weights.length; i++) {
    weights[i] = at(weights, i) * at(factors, at(margin.cellOf, i));
  }
}

function cut(weights: Float64Array, lowest: number, highest: number): void {
  for (let i = 0; i < weights.length; i++) {
    const weight = at(weights, i);
    if (weight > 0) weights[i] = Math.min(Math.max(weight, lowest), highest);
  }
}

function worstCell(
  margins: readonly RakedMargin[],
  targets: readonly (readonly number[])[],
  weights: Float64Array,
  count: number,
): CellShare {
  let worst: CellShare = { margin: 0, cell: 0, share: 0, wanted: 0 };
  margins.forEach((margin, i) => {
    cellTotals(margin, weights).forEach((total, cell) => {
      const [share, wanted] = [total / count, (targets[i]?.[cell] ?? 0) / count];
      if (Math.abs(share - wanted) <= Math.abs(worst.share - worst.wanted)) return;
      worst = { margin: i, cell, share, wanted };
    });
  });
  return worst;
}

function at(list: Float64Array | Int32Array, i: number): number {
  return list[i] ?? 0;
}
