import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { newTenant, type Tenant } from '../support/tenant.ts';

/** A panel in which every result has the custom field `round`, so that a partial change is detected. */
export interface FaultPanel {
  readonly tenant: Tenant;
  readonly resultCount: number;
  /** A request for all results with one series per value of `round`. */
  readonly byRound: object;
  readonly raw: object;
  readonly testData: object;
  /** The body of a PUT that changes all agents from before the first result on. */
  change(round: number): object;
}

const daySeconds = 86_400;
const agentCount = 200;

/** Creates agents box-1, box-2 … (units 1, 2 …) with `round: 0`. */
export async function faultPanel(
  database: Database,
  clickhouse: ClickHouseClient,
  resultCount: number,
): Promise<FaultPanel> {
  const tenant = await newTenant(database);
  const { organisationId } = tenant;
  const agents = await database('agents')
    .insert(
      Array.from({ length: agentCount }, (_, i) => ({
        organisation_id: organisationId,
        agent_id: `box-${i + 1}`,
        unit_id: i + 1,
        kind: 'whitebox',
      })),
    )
    .returning<{ id: number }[]>('id');
  const today = Math.floor(Date.now() / 1000 / daySeconds) * daySeconds;
  const change = (round: number) => ({
    agent: { timezone: 'Etc/UTC' },
    metadata: { custom: { round } },
    backdate_from: today - 20 * daySeconds,
  });
  for (let i = 1; i <= agentCount; i++) {
    const first = {
      agent: { unit_id: i },
      metadata: { timezone: 'Etc/UTC', custom: { round: 0 } },
    };
    await changeMetadata(database, tenant, { ...change(0), ...first });
  }
  await addResults(clickhouse, organisationId, agents[0]!.id, today - 5 * daySeconds, resultCount);
  const day = (days: number) => new Date((today + days * daySeconds) * 1000).toISOString();
  const range = { from: day(-10).slice(0, 10), to: day(0).slice(0, 10) };
  const raw = {
    metric: 'httpget',
    chartType: 'raw',
    normalised: false,
    prefilter: false,
    time: { from: `${range.from} 00:00`, to: `${range.to} 00:00` },
  };
  return {
    tenant,
    resultCount,
    raw,
    byRound: { ...raw, chartType: 'aggregate', aggregation: 'total', splits: ['custom.round'] },
    testData: { test: 'httpget', date: range },
    change,
  };
}

// The agent keys are consecutive: one statement inserted them into a database without other writers.
async function addResults(
  clickhouse: ClickHouseClient,
  organisationId: number,
  firstKey: number,
  fromS: number,
  count: number,
): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO test_httpget
  (organisation_id, agent_key, agent_id, unit_id, base, dtime, target, bytes_sec, threads, successes)
SELECT {organisation:UInt32}, {first:UInt64} + number % ${agentCount},
  concat('box-', toString(1 + number % ${agentCount})), 1 + number % ${agentCount}, 'wb8',
  toDateTime64({from:UInt32}, 3, 'UTC') + number, 'n1.example.net', 1000000 + number, 3, 1
FROM numbers({rows:UInt64})`,
    query_params: { organisation: organisationId, first: firstKey, from: fromS, rows: count },
  });
}
