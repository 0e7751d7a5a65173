import type { LocalStack } from '../../test/support/local-stack.ts';
import { addPackages, newTenant, type Tenant } from '../../test/support/tenant.ts';
import { isps, publishHistory } from './publish-history.ts';

/** An organisation with a number of agents, units 1 and up. Only the first has results. */
export async function largePanel(stack: LocalStack, agents: number): Promise<Tenant> {
  const { database, clickhouse } = stack;
  const tenant = await newTenant(database);
  const { organisationId } = tenant;
  const packages = ['Fibre 100', 'Fibre 500', 'Fibre 1000'];
  const byIsp = Object.fromEntries(isps.map((isp) => [isp, packages]));
  await addPackages(database, organisationId, byIsp);
  await database.raw(
    `insert into agents (organisation_id, agent_id, unit_id, kind, base, country)
     select ?, 'large-' || n, n, 'whitebox', 'wb8', 'GB' from generate_series(1, ?) n`,
    [organisationId, agents],
  );
  await publishHistory(stack, organisationId);
  const first = await database('agents')
    .where({ organisation_id: organisationId, unit_id: 1 })
    .first<{ id: string }>('id');
  await clickhouse.command({
    query: `INSERT INTO test_httpget
  (organisation_id, agent_key, agent_id, unit_id, base, dtime, target, bytes_sec, threads, successes)
SELECT {organisation:UInt32}, {key:UInt64}, 'large-1', 1, 'wb8', now64(3, 'UTC') + toIntervalSecond(number), 'n.example.net', 1000000, 3, 1
FROM numbers(600)`,
    query_params: { organisation: organisationId, key: first.id },
  });
  return tenant;
}
