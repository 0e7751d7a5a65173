import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalClickHouse, startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePort } from './free-port.ts';
import { readRole, type Role, usersXml } from './users-xml.ts';

/**
 * The user that dictionaries and materialized views run as. The engine runs all queries as `default`, but
 * knows the other users of users.xml.
 */
export const migrateUser = 'netpanel_migrate';

/** Starts a server on a data folder with the grants of a role of deploy/clickhouse/roles. */
export function startAsRole(dataDir: string, name: string): Promise<LocalClickHouse> {
  const migrate = readRole('migrate');
  const role = name === 'migrate' ? withDefinerGrant(migrate) : readRole(name);
  return startWithUsers(dataDir, usersXml({ default: role, [migrateUser]: migrate }));
}

// A migration may name its own user as the definer of views. Here the definer is another user: needs a grant.
function withDefinerGrant(role: Role): Role {
  return { ...role, grants: [...role.grants, `GRANT SET DEFINER ON ${migrateUser}`] };
}

/** Starts a server on a data folder with a users.xml. */
export async function startWithUsers(dataDir: string, users: string): Promise<LocalClickHouse> {
  const engineFolder = join(dataDir, 'native');
  mkdirSync(engineFolder, { recursive: true });
  writeFileSync(join(engineFolder, 'users.xml'), users);
  return startClickHouse({
    port: await freePort(),
    dataDir,
    logFile: join(dataDir, 'server.log'),
    engine: join(repositoryRoot, 'dist/test/engines/role-engine.js') as `${string}.js`,
  });
}
