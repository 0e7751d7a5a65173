import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { PostgresClock } from '../../shared/postgres/postgres-clock.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { OrganisationTurns } from '../../shared/slots/organisation-turns.ts';
import type { MemoryBudget } from '../body/memory-budget.ts';
import type { IngestConfig } from '../config.ts';
import type { LmapRegistry } from '../lmap/lmap-registry.ts';
import type { AgentFinder } from '../rows/find-agents.ts';
import type { IdempotentRequests } from '../request/idempotent-requests.ts';
import type { IngestMetrics } from '../batches/ingest-metrics.ts';
import type { ResultsBatcher } from '../batches/results-batcher.ts';

/** What the routes need. */
export interface IngestTools {
  readonly config: IngestConfig;
  readonly clock: PostgresClock;
  /** Sees only the rows of the organisation in inOrganisation. */
  readonly requests: Database;
  readonly agents: AgentFinder;
  readonly lmap: LmapRegistry;
  readonly batcher: ResultsBatcher;
  readonly keyed: IdempotentRequests;
  readonly memory: MemoryBudget;
  readonly slots: OrganisationSlots;
  /** Of the event loop. */
  readonly turns: OrganisationTurns;
  readonly metrics: IngestMetrics;
}
