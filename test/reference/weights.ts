/** A result as input of the statistics. */
export interface Sample {
  readonly value: number;
  /** Relative weight within the agent: 1, or the denominator of a ratio. */
  readonly size: number;
  readonly agentId: string;
  readonly unitId: number | null;
  /** The schedule block of the local day in which the test ran. */
  readonly block: number;
}

/** Weights by size with sum 1: all equal for a value metric. */
export function plainWeights(samples: readonly Sample[]): readonly number[] {
  const total = sum(samples.map(({ size }) => size));
  return samples.map(({ size }) => size / total);
}

/** Equal weight per block, in it per agent, in it by size: 1 / (B · A_b · n_ba). */
export function normalisedWeights(samples: readonly Sample[]): readonly number[] {
  const blockCount = distinct(samples.map(({ block }) => block));
  return samples.map(({ block, agentId, size }) => {
    const inBlock = samples.filter((other) => other.block === block);
    const agentCount = distinct(inBlock.map((other) => other.agentId));
    const own = inBlock.filter((other) => other.agentId === agentId);
    return size / (blockCount * agentCount * sum(own.map((other) => other.size)));
  });
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function distinct(values: readonly unknown[]): number {
  return new Set(values).size;
}
