import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { CustomFields } from '../request/metadata-change.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';
import { lookupCondition } from './lookup-condition.ts';

/** Metadata in the response of GET /metadata. */
export interface AgentMetadata {
  /** `<isp>:<package>` */
  readonly package: string | null;
  readonly isp: string | null;
  readonly timezone: string | null;
  readonly custom: CustomFields;
}

/** The metadata of an agent at a time; undefined if the organisation does not have the agent. */
export async function readAgentMetadata(
  database: Database,
  organisationId: number,
  lookup: AgentLookup,
  at: Date,
): Promise<AgentMetadata | undefined> {
  const condition = lookupCondition(lookup);
  const { rows } = await database
    .raw<{ rows: AgentMetadata[] }>(
      `select ${metadataColumns}
       from agents a
         left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
           and m.valid @> cast(:at as timestamptz)
         ${namesOfIds}
       where a.organisation_id = :organisationId and ${condition.sql}`,
      { ...condition.bindings, organisationId, at },
    )
    // A named statement is planned once per connection: planning takes twice as long as running it.
    .options({ name: `agent metadata by ${condition.name}` });
  return rows[0];
}

export const metadataColumns = `i.name || ':' || p.name as package, i.name as isp, m.timezone,
            coalesce(m.custom, '{}') as custom`;

export const namesOfIds = `left join isps i on i.id = m.isp_id
       left join packages p on p.id = m.package_id`;
