import type { LocalStack } from '../test/support/local-stack.ts';
import type { Figure } from './measure/figure.ts';
import type { BenchPanel } from './panel/bench-panel.ts';

/** What every section measures on. */
export interface Bench {
  readonly stack: LocalStack;
  /** Made when the first section asks for it: not all need millions of results. */
  readonly panel: () => Promise<BenchPanel>;
  readonly rounds: number;
  /** A short query shows what is added to it only over many turns. */
  readonly shortQueryRounds: number;
  /** Sizes of the panels whose metadata changes. */
  readonly agentCounts: readonly number[];
  /** How long callers press on at most. */
  readonly loadSeconds: number;
  readonly say: (line: string) => void;
}

export type Section = (bench: Bench) => Promise<readonly Figure[]>;
