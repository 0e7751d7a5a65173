import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** Throws if a running service connects as a user that row-level security does not apply to. */
export async function rowSecurityState(database: Database): Promise<string> {
  const { rows } = await database.raw<{ rows: ServiceUser[] }>(
    `select distinct a.usename as "user", substring(a.application_name from '${servicePattern}') as service,
       r.rolsuper or r.rolbypassrls or pg_has_role(r.oid, t.relowner, 'usage') as "isExempt"
     from pg_stat_activity a
       join pg_roles r on r.oid = a.usesysid
       join pg_class t on t.oid = 'agents'::regclass
     where a.datname = current_database() and a.application_name ~ '${servicePattern}'
     order by 2, 1`,
  );
  const exempt = rows.filter(({ isExempt }) => isExempt);
  if (exempt.length > 0) {
    throw new Error(`${listed(exempt)}: an owner or superuser sees the rows of all organisations`);
  }
  return rows.length === 0 ? 'no service is connected' : listed(rows);
}

interface ServiceUser {
  readonly user: string;
  readonly service: string;
  readonly isExempt: boolean;
}

/** The name of a pool is the end of application_name: netpanel-query-requests. */
const servicePattern = '^netpanel-(query|metadata)-';

function listed(users: readonly ServiceUser[]): string {
  return users.map(({ user, service }) => `the ${service} service connects as ${user}`).join(', ');
}
