import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalClickHouse, startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePort } from './free-port.ts';
import { readRole, type Role, usersXml } from './users-xml.ts';

/**
 * The user of the migrations, whose rights dictionaries and materialized views have whatever the role of a
 * query: the engine runs all queries as `default`, but knows the other users of users.xml.
 */
export const migrateUser = 'netpanel_migrate';

/** Opens a data folder with the rights of a role of deploy/clickhouse/roles. */
export function startAsRole(dataDir: string, name: string): Promise<LocalClickHouse> {
  const migrate = readRole('migrate');
  const role = name === 'migrate' ? ofMigrateUser(migrate) : readRole(name);
  return startWithUsers(dataDir, usersXml({ default: role, [migrateUser]: migrate }));
}

// The migrations make their own user the definer of views, which needs no grant. Here that user is another.
function ofMigrateUser(role: Role): Role {
  return { ...role, grants: [...role.grants, `GRANT SET DEFINER ON ${migrateUser}`] };
}

/** Opens a data folder with a users.xml. */
export async function startWithUsers(dataDir: string, users: string): Promise<LocalClickHouse> {
  const engineFolder = join(dataDir, 'native');
  mkdirSync(engineFolder, { recursive: true });
  writeFileSync(join(engineFolder, 'users.xml'), users);
  return startClickHouse({
    port: await freePort(),
    dataDir,
    logFile: join(dataDir, 'server.log'),
    engineModule: join(repositoryRoot, 'dist/test/engines/role-engine.js') as `${string}.js`,
  });
}
