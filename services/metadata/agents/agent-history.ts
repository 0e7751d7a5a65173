import { metadataVersionStatement } from '../../registry/versions/metadata-versions.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import {
  type BoundStatement,
  readInOrganisation,
} from '../../shared/postgres/read-in-organisation.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';
import type { HistoryPage } from '../request/parse-page.ts';
import { namesOfIds } from './agent-metadata.ts';
import {
  authorOfPeriod,
  type MetadataPeriod,
  metadataPeriod,
  periodColumns,
} from './metadata-period.ts';
import { lookupKind, lookupValues, wantedAgents } from './wanted-agents.ts';

interface AgentHistory {
  /** Of the organisation's metadata. The periods are not older. */
  readonly version: number;
  /** Undefined if the organisation does not have the agent. */
  readonly periods: readonly MetadataPeriod[] | undefined;
  /** `after` of the next page; undefined: this is the last one. */
  readonly next: string | undefined;
}

/** A period may have 64 KiB of custom fields: a page ends with the first one above this size. */
const maxPageBytes = 4 * 1024 * 1024;

/** Current periods of an agent, newest first. */
export async function readAgentHistory(
  database: Database,
  organisationId: number,
  lookup: AgentLookup,
  page: HistoryPage,
): Promise<AgentHistory> {
  // The version is read first, so that the history is not older.
  const [versions, rows] = await readInOrganisation<[{ version: number }, HistoryRow]>(
    database,
    organisationId,
    [metadataVersionStatement(organisationId), historyStatement(organisationId, lookup, page)],
  );
  const version = versions[0]?.version ?? 0;
  const last = rows.at(-1);
  return {
    version,
    periods: last === undefined ? undefined : rows.flatMap(toPeriod),
    next: rows.length < (last?.found ?? 0) ? last?.from?.toISOString() : undefined,
  };
}

function historyStatement(
  organisationId: number,
  lookup: AgentLookup,
  { limit, after }: HistoryPage,
): BoundStatement {
  const kind = lookupKind(lookup);
  return {
    name: `agent history by ${kind}`,
    // One row more than the page shows whether there is a next one.
    sql: `with ${wantedAgents(kind)}, found as (
       select ${periodColumns}
       from wanted w
         left join agent_metadata m on m.agent_key = w.agent_key and m.superseded_at is null
           and (cast(:after as timestamptz) is null or lower_inf(m.valid)
             or lower(m.valid) < cast(:after as timestamptz))
         ${namesOfIds} ${authorOfPeriod}
       where w.agent_key is not null
       order by lower(m.valid) desc nulls last
       limit cast(:limit as bigint) + 1
     ), measured as (
       select *, row_number() over newest as position, count(*) over () as found,
              sum(octet_length(custom::text)) over newest - octet_length(custom::text) as bytes_before
       from found
       window newest as (order by "from" desc nulls last)
     )
     select "from", "to", package, isp, timezone, custom, "recordedAt", "recordedBy", found
     from measured
     where position <= :limit and bytes_before < :maxPageBytes
     order by position`,
    bindings: {
      organisationId,
      lookups: `[${lookupValues(lookup)}]`,
      limit,
      after: after ?? null,
      maxPageBytes,
    },
  };
}

/** recordedAt is null if the agent exists but has no metadata. */
interface HistoryRow extends Omit<MetadataPeriod, 'recordedAt'> {
  readonly recordedAt: Date | null;
  /** Rows of this page and the next row. */
  readonly found: number;
}

function toPeriod({ recordedAt, ...row }: HistoryRow): MetadataPeriod[] {
  return recordedAt === null ? [] : [metadataPeriod({ ...row, recordedAt })];
}
