import type { Database } from '../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../shared/postgres/in-organisation.ts';
import { plainId } from './plain-id.ts';
import { textAfterPrefix } from './text-after-prefix.ts';

interface AgentSearch {
  readonly organisationId: number;
  /** The beginning of an id; all ids when empty. */
  readonly search: string;
  readonly limit: number;
}

/** Ignores punctuation and case: `AA:b` finds aab01. */
export async function searchAgentIds(
  database: Database,
  { organisationId, search, limit }: AgentSearch,
): Promise<readonly string[]> {
  const prefix = plainId(search);
  // `---` is not the beginning of every id.
  if (prefix === '' && search !== '') return [];
  const end = textAfterPrefix(prefix);
  return inOrganisation(database, organisationId, (transaction) =>
    transaction('agents')
      .where({ organisation_id: organisationId })
      // A range and not LIKE, which uses no index under row-level security.
      .where('agent_id_plain', '>=', prefix)
      .where((query) => {
        if (end !== undefined) void query.where('agent_id_plain', '<', end);
      })
      .orderBy(['agent_id_plain', 'agent_id'])
      .limit(limit)
      .pluck<string[]>('agent_id'),
  );
}

/** The units of an organisation whose number starts with these digits. */
export async function searchUnitIds(
  database: Database,
  { organisationId, search, limit }: AgentSearch,
): Promise<readonly string[]> {
  if (search !== '' && !/^(0|[1-9]\d{0,17})$/.test(search)) return [];
  const rows = await inOrganisation(database, organisationId, (transaction) =>
    transaction('agents')
      .where({ organisation_id: organisationId })
      .whereNotNull('unit_id')
      .where((query) => {
        for (const range of rangesOfPrefix(search)) void query.orWhereBetween('unit_id', range);
      })
      .orderBy('unit_id')
      .limit(limit)
      .select<{ unit_id: string | number }[]>('unit_id'),
  );
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
