import type { Database } from '../../shared/postgres/connect-postgres.ts';

export interface AgentsWithoutMetadata {
  readonly timezone: number;
  readonly package: number;
  /** The first of those without a time zone, by agent_id. */
  readonly firstWithoutTimezone: readonly string[];
}

/** Which of these agents have no time zone, and how many no package, at any time of these days. */
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
            count(*) filter (where coalesce(packages, 0) = 0)::integer as package,
            coalesce((array_agg(a.agent_id order by agent_key)
              filter (where coalesce(timezones, 0) = 0))[1:5], '{}') as "firstWithoutTimezone"
     from unnest(cast(:agentKeys as bigint[])) as agent (agent_key)
       left join known using (agent_key) left join agents a on a.id = agent_key`,
    {
      agentKeys: [...agentKeys],
      from: `${days.first}T00:00:00Z`,
      to: `${days.last}T23:59:59Z`,
    },
  );
  return rows[0];
}
