import type { LocalStack } from '../test/support/local-stack.ts';
import type { Measurement } from './measure/measurement.ts';
import type { BenchPanel } from './panel/bench-panel.ts';

/** The environment of every section. */
export interface Bench {
  readonly stack: LocalStack;
  /** Created on first use, because not all sections need millions of results. */
  readonly panel: () => Promise<BenchPanel>;
  readonly rounds: number;
  /** The overhead on a short query needs many rounds to measure. */
  readonly shortQueryRounds: number;
  /** Panel sizes for metadata changes. */
  readonly agentCounts: readonly number[];
  /** Maximum duration of a load test. */
  readonly loadSeconds: number;
  readonly print: (line: string) => void;
}

export type Section = (bench: Bench) => Promise<readonly Measurement[]>;
