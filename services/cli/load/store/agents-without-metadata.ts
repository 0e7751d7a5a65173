import type { Database } from '../../../shared/postgres/connect-postgres.ts';

export interface AgentsWithoutMetadata {
  readonly timezone: number;
  readonly package: number;
}

/** How many of these agents have no time zone, and no package, at any time of these days. */
export async function agentsWithoutMetadata(
  database: Database,
  agentKeys: readonly number[],
  days: { readonly first: string; readonly last: string },
): Promise<AgentsWithoutMetadata> {
  const { rows } = await database.raw<{ rows: [AgentsWithoutMetadata] }>(
    `with known as (
       select agent_key, count(timezone) as timezones, count(package_id) as packages
       from agent_metadata
       where agent_key = any(:agentKeys) and superseded_at is null
         and valid && tstzrange(cast(:from as timestamptz), cast(:to as timestamptz), '[]')
       group by agent_key
     )
     select count(*) filter (where coalesce(timezones, 0) = 0)::integer as timezone,
            count(*) filter (where coalesce(packages, 0) = 0)::integer as package
     from unnest(cast(:agentKeys as bigint[])) as agent (agent_key) left join known using (agent_key)`,
    {
      agentKeys: [...agentKeys],
      from: `${days.first}T00:00:00Z`,
      to: `${days.last}T23:59:59Z`,
    },
  );
  return rows[0];
}
