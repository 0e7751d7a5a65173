import type { LocalStack } from '../../test/support/local-stack.ts';
import { addPackages, newTenant, type Tenant } from '../../test/support/tenant.ts';
import { isps, publishHistory } from './publish-history.ts';

/** A panel of many results in one organisation, all made by the database from row numbers. */
export interface BenchPanel {
  readonly tenant: Tenant;
  readonly rows: number;
  readonly days: number;
  readonly agents: number;
}

const agents = 1_000;
const days = 60;
const lastDay = '2026-11-10';

const packages = ['Fibre 100', 'Fibre 500', 'Fibre 1000'];

export async function benchPanel(stack: LocalStack, rows: number): Promise<BenchPanel> {
  const tenant = await newTenant(stack.database);
  const byIsp = Object.fromEntries(isps.map((isp) => [isp, packages]));
  await addPackages(stack.database, tenant.organisationId, byIsp);
  const firstKey = await addAgents(stack, tenant.organisationId);
  await publishHistory(stack, tenant.organisationId);
  await addResults(stack, tenant.organisationId, firstKey, rows);
  return { tenant, rows, days, agents };
}

/** The last part of the panel that holds about so many results. */
export function rangeOf(panel: BenchPanel, rows: number): { from: string; to: string } {
  const end = Date.parse(`${lastDay}T23:59:59Z`);
  const span = (panel.days * 86_400_000 * rows) / panel.rows;
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return { from: text(end - span + 1_000), to: text(end) };
}

async function addAgents({ database }: LocalStack, organisationId: number): Promise<number> {
  await database.raw(
    `insert into agents (organisation_id, agent_id, unit_id, kind, base, country)
     select ?, 'bench-' || n, 7000000 + n, 'whitebox', 'wb8', 'GB' from generate_series(1, ?) n`,
    [organisationId, agents],
  );
  const keys = await database('agents')
    .where({ organisation_id: organisationId })
    .first<{ first: string; last: string }>(
      database.raw('min(id)::int8 as first, max(id)::int8 as last'),
    );
  if (Number(keys.last) - Number(keys.first) !== agents - 1) {
    throw new Error("the agents' keys have gaps, so results cannot be made from row numbers");
  }
  return Number(keys.first);
}

/** A day an insert: the whole at once would need more memory than the engine has. */
async function addResults(
  { clickhouse }: LocalStack,
  organisationId: number,
  firstKey: number,
  rows: number,
): Promise<void> {
  const rowsPerDay = Math.ceil(rows / days);
  for (let day = 0; day < days; day++) {
    await clickhouse.command({
      query: insertDay,
      query_params: { organisation: organisationId, firstKey, agents, rowsPerDay, lastDay, day },
    });
  }
  for (const table of ['test_httpget', 'last_rows_httpget']) {
    await clickhouse.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  }
}

// Speeds are spread like real ones: most lines near what was sold, some far below, a few at nothing.
const insertDay = `INSERT INTO test_httpget
  (organisation_id, agent_key, agent_id, unit_id, base, dtime, target, target_group, address,
   fetch_time, bytes_total, bytes_sec, bytes_sec_interval, warmup_time, warmup_bytes, sequence,
   threads, tcp_retransmissions, successes, failures, ip_version)
WITH
  number % {agents:UInt64} AS agent,
  sipHash64(number, {day:UInt64}) AS random,
  toDateTime64({lastDay:String}, 3, 'UTC') - toIntervalDay({day:UInt64})
    + toIntervalMillisecond(intDiv(number * 86400000, {rowsPerDay:UInt64})) AS ended,
  toInt64((1 + agent % 3 * 6) * 12500000 * (0.2 + 0.8 * sqrt((random % 10000) / 10000))) AS speed
SELECT {organisation:UInt32}, {firstKey:UInt64} + agent, concat('bench-', toString(agent + 1)),
  7000001 + agent, 'wb8', ended, concat('n', toString(random % 4), '.example.net'), 'onnet',
  '192.0.2.1', 5000000 + random % 1000, speed * 5, speed, speed, 2000000, speed * 2, 0,
  3, random % 50, 1, 0, 4
FROM numbers({rowsPerDay:UInt64})`;
