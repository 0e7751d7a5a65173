import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { type AgentIdentifiers, comparedForms } from '../../registry/agents/erased-ids.ts';
import { normaliseId } from '../../registry/agents/normalise-id.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockHistory } from '../../registry/versions/lock-history.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import type { Stores } from '../../shared/stores.ts';
import type { ErasureReport } from './erasure.ts';
import { recordErasureEvent } from './erasure-ledger.ts';
import { storedRows } from './steps/count-stored.ts';

export const identifierFields = ['agent', 'unit', 'mac'] as const;
export type IdentifierField = (typeof identifierFields)[number];

export interface ErasureRequest {
  readonly organisationId: number;
  /** null: the command line. */
  readonly tokenId: number | null;
  readonly field: IdentifierField;
  readonly values: readonly string[];
  /** How long to wait for a change of the organisation; default: no timeout. */
  readonly lockTimeoutMs?: number;
}

/**
 * Records the erasure of agents, which its steps then carry out, and refuses their identifiers from now
 * on. Nothing is recorded if a value is unknown, which the organisation neither has nor has erased. Repeating a request
 * finds the erasure of the first one: `ids` has the new one and earlier ones of the same agents.
 */
export async function requestErasure(database: Database, request: ErasureRequest) {
  const { organisationId } = request;
  return inOrganisation(database, organisationId, async (transaction) => {
    // An import that has not committed may be about to add the agent.
    await lockHistory(transaction, organisationId, request.lockTimeoutMs);
    const agents: ErasedAgent[] = [];
    const earlier: string[] = [];
    const unknown: string[] = [];
    for (const value of new Set(request.values)) {
      const agent = await findAgent(transaction, organisationId, request.field, value);
      const known =
        agent === undefined
          ? await erasureOfId(transaction, organisationId, request.field, value)
          : await runningErasureOf(transaction, agent.key);
      if (known !== undefined) earlier.push(known);
      else if (agent !== undefined) agents.push(agent);
      else unknown.push(value);
    }
    if (unknown.length > 0) return { ids: [] as string[], unknown };
    const added = agents.length === 0 ? [] : [await addErasure(transaction, request, agents)];
    return { ids: [...new Set([...added, ...earlier])], unknown };
  });
}

/** What an erasure of these agents would remove; `unknown` has the values that no agent has. */
export async function previewErasure(
  stores: Stores,
  { organisationId, field, values }: Pick<ErasureRequest, 'organisationId' | 'field' | 'values'>,
) {
  const { database } = stores;
  const found = await Promise.all(
    values.map((value) => findAgent(database, organisationId, field, value)),
  );
  const agentKeys = found.flatMap((agent) => agent?.key ?? []);
  const [exports] = await database('exports')
    .where({ organisation_id: organisationId })
    .whereIn('status', ['running', 'done'])
    .count<{ count: number }[]>('* as count');
  return {
    unknown: values.filter((_, i) => found[i] === undefined),
    wouldRemove: await storedRows(stores, { organisationId, agentKeys }),
    exports: exports?.count ?? 0,
  };
}

/** An agent to be erased, with its identifiers as stored. */
interface ErasedAgent extends AgentIdentifiers {
  /** agent_key in ClickHouse. */
  readonly key: string;
}

const columns = { agent: 'agent_id_normalised', unit: 'unit_id', mac: 'mac_address_normalised' };

/** The agent with exactly this identifier: similar ids are not enough to erase an agent. */
async function findAgent(
  database: Database,
  organisationId: number,
  field: IdentifierField,
  value: string,
): Promise<ErasedAgent | undefined> {
  const compared = comparedForm(field, value);
  if (compared === undefined) return undefined;
  const { rows } = await database.raw<{ rows: ErasedAgent[] }>(
    `select id::text as key, agent_id as "agentId", unit_id::text as "unitId",
            mac_address as "macAddress"
     from agents where organisation_id = :organisationId and :column: = :value`,
    { organisationId, column: columns[field], value: compared },
  );
  return rows[0];
}

/** Undefined if no agent can have the value. */
function comparedForm(field: IdentifierField, value: string): string | undefined {
  if (field !== 'unit') return normaliseId(value);
  return /^\d{1,18}$/.test(value) ? value : undefined;
}

async function erasureOfId(
  transaction: Knex.Transaction,
  organisationId: number,
  field: IdentifierField,
  value: string,
): Promise<string | undefined> {
  const compared = comparedForm(field, value);
  if (compared === undefined) return undefined;
  const { rows } = await transaction.raw<{ rows: { id: string }[] }>(
    `select erasure_id as id from erased_ids
     where organisation_id = :organisationId and hash = erased_id_hash(:organisationId, :compared)`,
    { organisationId, compared },
  );
  return rows[0]?.id;
}

async function runningErasureOf(
  transaction: Knex.Transaction,
  agentKey: string,
): Promise<string | undefined> {
  const row = await transaction('erasures')
    .whereNull('ended_at')
    .whereRaw('cast(? as bigint) = any(agent_keys)', [agentKey])
    .first<{ id: string } | undefined>('id');
  return row?.id;
}

async function addErasure(
  transaction: Knex.Transaction,
  { organisationId, tokenId }: ErasureRequest,
  agents: readonly ErasedAgent[],
): Promise<string> {
  const id = randomUUID();
  const compared = [...new Set(agents.flatMap(comparedForms))];
  const stored = agents.flatMap(({ agentId, unitId, macAddress }) =>
    [agentId, unitId, macAddress].filter((identifier) => identifier !== null),
  );
  const report: ErasureReport = { hashes: [], removed: {}, redacted: {}, exports: 0 };
  await transaction('erasures').insert({
    id,
    organisation_id: organisationId,
    token_id: tokenId,
    agent_keys: agents.map(({ key }) => key),
    identifiers: [...new Set([...stored, ...compared])],
    report: JSON.stringify(report),
  });
  // The time of an erasure that was repeated after it was lifted is the later one.
  await transaction.raw(
    `insert into erased_ids (organisation_id, hash, erasure_id)
     select :organisationId, erased_id_hash(:organisationId, identifier), :id
     from unnest(cast(:compared as text[])) as given (identifier)
     on conflict (organisation_id, hash)
       do update set erasure_id = excluded.erasure_id, erased_at = excluded.erased_at`,
    { organisationId, id, compared },
  );
  await transaction.raw(
    `update erasures set report = jsonb_set(report, '{hashes}', (
       select jsonb_agg(encode(hash, 'hex') order by hash) from erased_ids where erasure_id = :id))
     where id = :id`,
    { id },
  );
  await recordErasureEvent(transaction, 'request', { id, organisationId, tokenId, report });
  return id;
}
