import type { Stores } from '../../shared/stores.ts';

/** The steps of an erasure, in order. Each can be repeated after a crash. */
export const erasureSteps = [
  'count',
  'registry',
  'publication',
  'results',
  'requests',
  'exports',
  'files',
  'check',
] as const;

export type ErasureStep = (typeof erasureSteps)[number];

/** What was removed. Contains no identifier. */
export interface ErasureReport {
  /** Hashes of the identifiers, hexadecimal, that the organisation cannot add again. */
  readonly hashes: readonly string[];
  /** Removed rows by table. */
  readonly removed: Readonly<Record<string, number>>;
  /** Stored requests that named the household and were replaced, by table. */
  readonly redacted: Readonly<Record<string, number>>;
  /** Exports whose file was deleted. */
  readonly exports: number;
}

/** An erasure of one or more agents of an organisation. */
export interface Erasure {
  readonly id: string;
  readonly organisationId: number;
  /** null: the command line. */
  readonly tokenId: number | null;
  readonly agentKeys: readonly string[];
  /** What the steps search for; null when it has ended. */
  readonly identifiers: readonly string[] | null;
  readonly stepsDone: readonly ErasureStep[];
  readonly report: ErasureReport;
  readonly attempts: number;
  readonly waitingFor: string | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export interface ErasureTools extends Stores {
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

/** Thrown by a step that cannot end yet, although nothing is wrong. It is tried again. */
export class ErasureWaits extends Error {
  override readonly name = 'ErasureWaits';
}

/** An erasure in a response and in the output of the command line. */
export function erasureResponse(erasure: Erasure) {
  const { id, agentKeys, stepsDone, report, waitingFor, createdAt, endedAt } = erasure;
  return {
    id,
    state: endedAt === null ? 'running' : 'done',
    statusUrl: `/erasures/${id}`,
    agents: agentKeys.length,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    stepsDone,
    waitingFor,
    report,
  };
}
