import type { Database } from '../shared/postgres/connect-postgres.ts';

/** An id that changes used for an agent with another id, when ids were compared without punctuation. */
export interface MergedAgentId {
  readonly agentKey: number;
  readonly agentId: string;
  readonly otherId: string;
  readonly changes: number;
  readonly lastChangeAt: Date;
}

/** Found once, by migration 006-agent-ids. */
export async function listMergedAgentIds(
  database: Database,
  organisationId: number,
): Promise<MergedAgentId[]> {
  return database('merged_agent_ids')
    .where({ organisation_id: organisationId })
    .orderBy(['agent_id', 'other_id'])
    .select<MergedAgentId[]>({
      agentKey: 'agent_key',
      agentId: 'agent_id',
      otherId: 'other_id',
      changes: 'change_count',
      lastChangeAt: 'last_change_at',
    });
}
