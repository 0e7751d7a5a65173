import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';
import type { HistoryPage } from '../request/parse-history-page.ts';
import { namesOfIds } from './agent-metadata.ts';
import { lookupCondition } from './lookup-condition.ts';
import {
  authorOfPeriod,
  type MetadataPeriod,
  metadataPeriod,
  periodColumns,
  type PeriodRow,
} from './metadata-period.ts';

interface AgentHistory {
  readonly periods: readonly MetadataPeriod[];
  /** `after` of the next page; undefined: this is the last one. */
  readonly next: string | undefined;
}

/** A period may have 64 KiB of custom fields: a page ends with the first one above this size. */
const maxPageBytes = 4 * 1024 * 1024;

/** Current periods of an agent, newest first; undefined if the agent does not exist. */
export async function readAgentHistory(
  database: Database,
  organisationId: number,
  lookup: AgentLookup,
  { limit, after }: HistoryPage,
): Promise<AgentHistory | undefined> {
  const condition = lookupCondition(lookup);
  const { rows } = await database.raw<{ rows: HistoryRow[] }>(
    // One row more than the page shows whether there is a next one.
    `with found as (
       select ${periodColumns}
       from agents a
         left join agent_metadata m on m.agent_key = a.id and m.superseded_at is null
           and (cast(:after as timestamptz) is null or lower_inf(m.valid)
             or lower(m.valid) < cast(:after as timestamptz))
         ${namesOfIds} ${authorOfPeriod}
       where a.organisation_id = :organisationId and ${condition.sql}
       order by lower(m.valid) desc nulls last
       limit :limit + 1
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
    { ...condition.bindings, organisationId, limit, after: after ?? null, maxPageBytes },
  );
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return {
    periods: rows.flatMap(toPeriod),
    next: rows.length < last.found ? last.from?.toISOString() : undefined,
  };
}

/** recordedAt is null if the agent exists but has no metadata. */
interface HistoryRow extends Omit<PeriodRow, 'recordedAt'> {
  readonly recordedAt: Date | null;
  /** Rows of this page and the next row. */
  readonly found: number;
}

function toPeriod({ recordedAt, ...row }: HistoryRow): MetadataPeriod[] {
  return recordedAt === null ? [] : [metadataPeriod({ ...row, recordedAt })];
}
