import type { Database } from '../shared/postgres/connect-postgres.ts';
import { normaliseId } from './normalise-id.ts';

interface AgentSearch {
  readonly organisationId: number;
  /** The beginning of an id; all ids when empty. */
  readonly search: string;
  readonly limit: number;
}

/** Ignores punctuation, like every agent lookup: `AA:b` finds aab01. */
export async function searchAgentIds(
  database: Database,
  { organisationId, search, limit }: AgentSearch,
): Promise<readonly string[]> {
  const prefix = normaliseId(search);
  const rows = await database('agents')
    .where({ organisation_id: organisationId })
    .where((query) => {
      if (prefix === '') return;
      void query
        .whereLike('agent_id_normalised', `${prefix}%`)
        // LIKE uses the index only in a database with the C locale. BETWEEN uses it with any
        // locale; normalised ids contain only a-z and 0-9.
        .whereBetween('agent_id_normalised', [prefix, prefix + 'z'.repeat(64)]);
    })
    .orderBy('agent_id_normalised')
    .limit(limit)
    .select<{ agent_id: string }[]>('agent_id');
  return rows.map(({ agent_id }) => agent_id);
}

/** The units of an organisation whose number starts with these digits. */
export async function searchUnitIds(
  database: Database,
  { organisationId, search, limit }: AgentSearch,
): Promise<readonly string[]> {
  if (search !== '' && !/^(0|[1-9]\d{0,17})$/.test(search)) return [];
  const rows = await database('agents')
    .where({ organisation_id: organisationId })
    .whereNotNull('unit_id')
    .where((query) => {
      for (const range of rangesOfPrefix(search)) void query.orWhereBetween('unit_id', range);
    })
    .orderBy('unit_id')
    .limit(limit)
    .select<{ unit_id: string | number }[]>('unit_id');
  return rows.map(({ unit_id }) => String(unit_id));
}

/** The numbers that start with 12 as ranges, to use the index: 12, 120 to 129, 1200 to 1299, … */
function rangesOfPrefix(prefix: string): [string, string][] {
  if (prefix === '') return [];
  if (prefix === '0') return [['0', '0']];
  return Array.from({ length: 19 - prefix.length }, (_, digits) => [
    prefix + '0'.repeat(digits),
    prefix + '9'.repeat(digits),
  ]);
}
