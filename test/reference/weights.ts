/** A result as the statistics see it. */
export interface Sample {
  readonly value: number;
  /** How much it counts beside others of its agent: 1, or what a ratio divides by. */
  readonly size: number;
  readonly agentId: string;
  readonly unitId: number | null;
  /** Which block of the local day's hours its test ran in. */
  readonly block: number;
}

/** By size alone, adding up to 1: all equal for a value metric. */
export function plainWeights(samples: readonly Sample[]): readonly number[] {
  const total = sum(samples.map(({ size }) => size));
  return samples.map(({ size }) => size / total);
}

/** Every block equal, within it every agent, within an agent by size: 1 / (B · A_b · n_ba). */
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
