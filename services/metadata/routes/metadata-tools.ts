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
  readonly slots: OrganisationSlots;
  /** Called when history has changed. */
  readonly onChange: () => void;
}
