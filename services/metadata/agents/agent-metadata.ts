import { LRUCache } from 'lru-cache';
import { BatchedLookup } from '../../shared/batched-lookup.ts';
import { metadataVersionStatement } from '../../registry/versions/metadata-versions.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import {
  type BoundStatement,
  readInOrganisation,
} from '../../shared/postgres/read-in-organisation.ts';
import type { CustomFields } from '../request/metadata-change.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';
import { type LookupKind, lookupKind, lookupValues, wantedAgents } from './wanted-agents.ts';

/** Metadata in the response of GET /metadata. */
export interface AgentMetadata {
  /** `<isp>:<package>` */
  readonly package: string | null;
  readonly isp: string | null;
  readonly timezone: string | null;
  readonly custom: CustomFields;
}

interface FoundMetadata {
  /** Of the organisation. The metadata is not older. */
  readonly version: number;
  /** Undefined if the organisation does not have the agent. */
  readonly metadata: AgentMetadata | undefined;
}

const maxConcurrentReads = 2;
const maxLookups = 1_000;

/**
 * Returns a function that reads the current metadata of an agent. Requests of an organisation that arrive during a
 * statement share the next one, which saves round trips.
 */
export function agentMetadataReader(database: Database) {
  /** By organisation and kind. */
  const lookups = new LRUCache<string, BatchedLookup<FoundMetadata>>({ max: maxLookups });
  return async (organisationId: number, lookup: AgentLookup): Promise<FoundMetadata> => {
    const kind = lookupKind(lookup);
    const key = `${organisationId} ${kind}`;
    const ofKind =
      lookups.get(key) ??
      new BatchedLookup<FoundMetadata>(
        maxConcurrentReads,
        (keys) => readAgentMetadata(database, organisationId, { kind, keys }),
        // A change that was acknowledged before the request must not be missed.
        { isFresh: true },
      );
    lookups.set(key, ofKind);
    return (await ofKind.find(lookupValues(lookup))) ?? { version: 0, metadata: undefined };
  };
}

interface WantedMetadata {
  readonly kind: LookupKind;
  /** Values of lookups of this kind (lookupValues). */
  readonly keys: readonly string[];
  /** Default: now, by Postgres' clock. */
  readonly at?: Date;
}

/** The metadata at a time by key. Has every key. */
export async function readAgentMetadata(
  database: Database,
  organisationId: number,
  wanted: WantedMetadata,
): Promise<ReadonlyMap<string, FoundMetadata>> {
  // The version is read first, so that the metadata is not older.
  const [versions, rows] = await readInOrganisation<
    [{ version: number }, AgentMetadata & { position: number }]
  >(database, organisationId, [
    metadataVersionStatement(organisationId),
    metadataStatement(organisationId, wanted),
  ]);
  const version = versions[0]?.version ?? 0;
  const found = new Map(rows.map(({ position, ...metadata }) => [position, metadata]));
  return new Map(wanted.keys.map((key, i) => [key, { version, metadata: found.get(i + 1) }]));
}

export function metadataStatement(
  organisationId: number,
  { kind, keys, at }: WantedMetadata,
): BoundStatement {
  return {
    name: `agent metadata by ${kind}`,
    sql: `with ${wantedAgents(kind)}
     select w.position, ${metadataColumns}
     from wanted w
       left join agent_metadata m on m.agent_key = w.agent_key and m.superseded_at is null
         and m.valid @> coalesce(cast(:at as timestamptz), now())
       ${namesOfIds}
     where w.agent_key is not null`,
    bindings: { organisationId, lookups: `[${keys.join(',')}]`, at: at ?? null },
  };
}

export const metadataColumns = `i.name || ':' || p.name as package, i.name as isp, m.timezone,
            coalesce(m.custom, '{}') as custom`;

export const namesOfIds = `left join isps i on i.id = m.isp_id
       left join packages p on p.id = m.package_id`;
