import { expect } from 'chai';
import { serviceDatabaseUrl } from '../../../deploy/local/service-database-url.ts';
import { listPackages } from '../../../services/registry/organisations/packages.ts';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../../services/shared/postgres/in-organisation.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import type { Tenant } from '../../support/tenant.ts';
import { tenantWithRows } from './rows-of-tenant.ts';

const services = ['query', 'metadata'] as const;

describe('the Postgres roles of the services', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  const databases: Partial<Record<(typeof services)[number], Database>> = {};

  before(async () => {
    stack = await localStack();
    tenant = await tenantWithRows(stack.database);
    for (const service of services) {
      const url = serviceDatabaseUrl(service, stack.databaseUrl);
      databases[service] = connectPostgres(url, 2, 'service-roles-test');
    }
  });

  after(async () => {
    for (const service of services) await databases[service]?.destroy();
  });

  it('are those that the running services connect as', async () => {
    const users = await stack
      .database('pg_stat_activity')
      .where({ datname: 'netpanel' })
      .where('application_name', '~', '^netpanel-(query|metadata)-')
      .distinct<{ usename: string }[]>('usename')
      .orderBy('usename');
    expect(users.map(({ usename }) => usename)).to.deep.equal(['local_metadata', 'local_query']);
  });

  for (const service of services) {
    it(`${service}: cannot change, delete or truncate the audit`, async () => {
      for (const statement of [
        "update audit_events set outcome = 'OK'",
        'delete from audit_events',
        'truncate audit_events',
        "update metadata_changes set request = '{}'",
        'delete from metadata_changes',
        'truncate metadata_changes',
        "update api_call_counts set route = ''",
        'delete from api_call_counts',
        'truncate api_call_counts',
      ]) {
        expect(await codeOf(service, statement), statement).to.equal(permissionDenied);
      }
    });

    it(`${service}: cannot change the schema, the roles, tokens or grants`, async () => {
      for (const statement of [
        'create table extra (id integer)',
        'alter table agents disable row level security',
        'drop policy own_organisation on agents',
        'set local row_security = off; select from organisations',
        'set local role netpanel',
        "update api_tokens set scopes = '{}'",
        "insert into grants select organisation_id, 'test', 'dns' from grants",
        'update organisations set all_metrics = true',
        'select from erasure_secret',
        'set local session_replication_role = replica',
      ]) {
        expect(await codeOf(service, statement), statement).to.equal(permissionDenied);
      }
    });
  }

  it('the metadata service can add to the audit, and the query service cannot', async () => {
    const event = `insert into audit_events (organisation_id, actor, action, target)
      values (${tenant.organisationId}, 'test', 'test.add', 'audit')`;
    expect(await codeOf('metadata', event)).to.equal('done');
    expect(await codeOf('query', event)).to.equal(permissionDenied);
  });

  it('see the organisation of the transaction, and nothing after it', async () => {
    const database = databases.metadata!;
    const packages = () => listPackages(database, tenant.organisationId);
    const inside = await inOrganisation(database, tenant.organisationId, (transaction) =>
      listPackages(transaction, tenant.organisationId),
    );
    expect(inside).to.deep.equal([{ package: 'Northwave:Fibre 500' }]);
    // On both connections of the pool.
    expect(await Promise.all([packages(), packages(), packages()])).to.deep.equal([[], [], []]);
  });

  /** The code of the error; `done` without one. Nothing is committed. */
  async function codeOf(service: (typeof services)[number], statement: string): Promise<string> {
    const transaction = await databases[service]!.transaction();
    try {
      await transaction.raw("select set_config('netpanel.organisation', ?, true)", [
        String(tenant.organisationId),
      ]);
      await transaction.raw(statement);
      return 'done';
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await transaction.rollback();
    }
  }
});

const permissionDenied = '42501';
