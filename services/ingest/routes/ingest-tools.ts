import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { MemoryBudget } from '../body/memory-budget.ts';
import type { IngestConfig } from '../config.ts';
import type { LmapRegistry } from '../lmap/lmap-registry.ts';
import type { AgentFinder } from '../store/find-agents.ts';
import type { IdempotentRequests } from '../store/idempotent-requests.ts';
import type { IngestMetrics } from '../store/ingest-metrics.ts';
import type { RowSink } from '../store/row-sink.ts';
import type { TestColumnsCache } from '../store/test-columns-cache.ts';

/** What the routes need. */
export interface IngestTools {
  readonly config: IngestConfig;
  /** Sees only the rows of the organisation in inOrganisation. */
  readonly requests: Database;
  readonly agents: AgentFinder;
  readonly columns: TestColumnsCache;
  readonly lmap: LmapRegistry;
  readonly sink: RowSink;
  readonly keyed: IdempotentRequests;
  readonly memory: MemoryBudget;
  readonly slots: OrganisationSlots;
  readonly metrics: IngestMetrics;
}
