import { createHash } from 'node:crypto';
import { InvalidInput } from '../../shared/errors/invalid-input.ts';
import {
  type CellOf,
  rake,
  type RakedMargin,
  type RakedWeights,
  type RakeOptions,
} from './rake.ts';

export interface RakedReplicates<M extends RakedMargin> {
  /** By household: its weight in each replicate, divided by its weight. */
  readonly factors: readonly (readonly number[])[];
  /** Cells that only this replicate has no households of. Replicates are numbered from 1. */
  readonly emptied: readonly (CellOf<M> & { readonly replicate: number })[];
  /** Replicates in which a margin does not hold. */
  readonly unfinished: readonly number[];
}

/**
 * Delete-a-group jackknife: each replicate leaves out the households of one group and is raked like all of them. The group
 * of a household follows from its id, so that it is the same in each raking, and differences can pair replicates.
 */
export function rakeReplicates<M extends RakedMargin>(
  margins: readonly M[],
  agentIds: readonly string[],
  all: RakedWeights<M>,
  count: number,
  options: Omit<RakeOptions, 'start'>,
): RakedReplicates<M> {
  const groups = agentIds.map((id) => groupOf(id, count));
  if (new Set(groups).size === 1) {
    throw new InvalidInput('All households are in one group: replicates need more households');
  }
  const replicates = Array.from({ length: count }, (_, group) => {
    const start = Float64Array.from(groups, (own) => (own === group ? 0 : 1));
    return rake(margins, { ...options, start });
  });
  const wasEmpty = ({ margin, cell }: CellOf<M>) =>
    all.emptyCells.some((other) => other.margin === margin && other.cell === cell);
  return {
    factors: agentIds.map((_, i) =>
      replicates.map(({ weights }) => (weights[i] ?? 0) / (all.weights[i] ?? 1)),
    ),
    emptied: replicates.flatMap(({ emptyCells }, i) =>
      emptyCells.flatMap((cell) => (wasEmpty(cell) ? [] : [{ ...cell, replicate: i + 1 }])),
    ),
    unfinished: replicates.flatMap(({ holds }, i) => (holds ? [] : [i + 1])),
  };
}

/** The first four bytes of the SHA-256 of the id. */
function groupOf(agentId: string, count: number): number {
  return createHash('sha256').update(agentId).digest().readUInt32BE() % count;
}
