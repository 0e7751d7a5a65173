import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { AgentLookup } from '../request/parse-agent-lookup.ts';
import type { ChangesPage } from '../request/parse-page.ts';
import {
  bothIndexes,
  type ChangedPeriods,
  changedPeriods,
  type ChangedRow,
  periodsOf,
  rowsBy,
} from './changed-periods.ts';
import { lookupCondition } from './wanted-agents.ts';
import { authorColumn, type ChangeAuthor } from './metadata-period.ts';

interface AgentChange extends ChangedPeriods {
  readonly id: number;
  readonly recordedAt: Date;
  readonly recordedBy: ChangeAuthor;
  /** False: the change has more than 4 MiB of custom fields, and not all of its periods are listed. */
  readonly isComplete: boolean;
}

interface AgentChanges {
  readonly changes: readonly AgentChange[];
  /** `before` of the next page; undefined: this is the last one. */
  readonly next: number | undefined;
}

/** Changes of an agent, newest first; undefined if the agent does not exist. */
export async function readAgentChanges(
  database: Database,
  organisationId: number,
  lookup: AgentLookup,
  { limit, before }: ChangesPage,
): Promise<AgentChanges | undefined> {
  const condition = lookupCondition(lookup);
  const agent = await database.raw<{ rows: { id: number }[] }>(
    `select a.id from agents a where a.organisation_id = :organisationId and ${condition.sql}`,
    { ...condition.bindings, organisationId },
  );
  const agentKey = agent.rows[0]?.id;
  if (agentKey === undefined) return undefined;
  const { rows } = await database.raw<{ rows: ChangedRow[] }>(statement, {
    agentKey,
    before: before ?? null,
    limit,
  });
  return pageOf(rows, limit);
}

// One change more than the page shows whether there is a next one.
const statement = changedPeriods(`
  with ids as (
    select distinct change.id
    from (${bothIndexes('agent_key = :agentKey')}) as h
      cross join lateral (
        values (case when first_recorded_by is null then recorded_by end), (shortened_by), (superseded_by)
      ) as change (id)
  )
  select c.id, c.recorded_at, ${authorColumn} as author,
         array[cast(:agentKey as bigint)] as agent_keys
  from ids join metadata_changes c using (id) left join api_tokens t on t.id = c.token_id
  where cast(:before as bigint) is null or c.id < cast(:before as bigint)
  order by c.id desc limit :limit + 1`);

function pageOf(rows: readonly ChangedRow[], limit: number): AgentChanges {
  const byChange = [...rowsBy('changeId', rows).values()];
  const isWhole = (of: readonly ChangedRow[]) => of.length === of[0]?.total;
  // A change that does not fit begins the next page. The first one is cut: it would fit nowhere.
  const fitting = byChange.filter((of, i) => i < limit && (i === 0 || isWhole(of)));
  const changes = fitting.flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    return [
      {
        id: first.changeId,
        recordedAt: first.changedAt,
        recordedBy: first.author,
        isComplete: isWhole(of),
        ...periodsOf(of),
      },
    ];
  });
  return { changes, next: fitting.length < byChange.length ? changes.at(-1)?.id : undefined };
}
