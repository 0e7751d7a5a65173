import type { Dependency } from '../http/ops-app.ts';
import type { Database } from './connect-postgres.ts';
import { pendingPostgresMigrations } from './migrate-postgres.ts';

export function postgresDependency(database: Database): Dependency {
  return {
    name: 'postgres',
    check: async () => {
      const pending = await pendingPostgresMigrations(database);
      if (pending.length > 0) throw new Error(`not migrated: ${pending.join(', ')}`);
      return {};
    },
  };
}
