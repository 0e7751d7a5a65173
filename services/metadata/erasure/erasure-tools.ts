import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { ClickHouseTools } from './agent-tables.ts';
import type { Erasure, ErasureStep } from './erasure.ts';

export interface ErasureTools extends ClickHouseTools {
  readonly database: Database;
  /** Age of an erasure at its last check. */
  readonly settleMs: number;
  /** Called before each step. */
  readonly onStep: (step: ErasureStep, erasure: Erasure) => void;
}

/**
 * An insert that began before the erasure can still be running. The loader looks for erasures before each
 * block, and its ClickHouse client gives up an insert after ten minutes. The query audit is written
 * within seconds.
 */
export const defaultSettleMs = 600_000;
