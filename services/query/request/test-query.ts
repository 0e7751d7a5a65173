import type { TestKey } from '../../catalog/test-tables.ts';
import type { Warning } from '../../shared/errors/warnings.ts';

/** A parsed request for test data. Both ends of the range are included. */
export interface TestQuery {
  readonly organisationId: number;
  readonly test: TestKey;
  /** As `2026-01-31 00:00:00.000`. */
  readonly fromUtc: string;
  /** As `2026-01-31 23:59:59.999`. */
  readonly toUtc: string;
  readonly warnings: readonly Warning[];
}
