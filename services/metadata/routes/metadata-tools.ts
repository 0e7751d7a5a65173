import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { OrganisationSlots } from '../../shared/slots/organisation-slots.ts';
import type { MetadataConfig } from '../config.ts';

/** What the routes of the metadata interface need. */
export interface MetadataTools {
  readonly config: MetadataConfig;
  /** Connections for reads. */
  readonly requests: Database;
  /** Connections for changes, which may wait for a lock. */
  readonly changes: Database;
  /** Limits concurrent changes and requests for an erasure. */
  readonly slots: OrganisationSlots;
  /** Limits concurrent reads. */
  readonly listingSlots: OrganisationSlots;
  readonly logger: Logger;
  /** Called when history has changed. */
  readonly onChange: () => void;
  /** Called when an erasure was requested. */
  readonly onErasure: () => void;
}
