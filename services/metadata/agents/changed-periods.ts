import type { Knex } from 'knex';
import { namesOfIds } from './agent-metadata.ts';
import {
  authorOfPeriod,
  type ChangeAuthor,
  type MetadataPeriod,
  metadataPeriod,
  periodColumns,
} from './metadata-period.ts';

/** What a change did to the history of one agent. Both lists have the newest period first. */
export interface ChangedPeriods {
  /** The periods before the change, in full: a part before its date may have stayed. */
  readonly replaced: readonly MetadataPeriod[];
  /** The periods with the values that the change set. */
  readonly recorded: readonly MetadataPeriod[];
}

/** A period of a change; one row per period and part. */
export interface ChangedRow extends MetadataPeriod {
  readonly changeId: number;
  readonly changedAt: Date;
  readonly author: ChangeAuthor;
  readonly agentId: string;
  readonly part: keyof ChangedPeriods;
  /** Rows of the change, with those left out. */
  readonly total: number;
}

/** A response has at most this much of custom fields, of which a period may have 64 KiB. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The periods of `changes`, a query for id, recorded_at, author and agent_keys of changes: the newest change
 * first, up to maxBytes of custom fields.
 */
export function changedPeriods(changes: string): string {
  return `
    with changes as (${changes}),
    found as (
      select change.id as "changeId", change.recorded_at as "changedAt", change.author,
             a.agent_id as "agentId", m.part, ${periodColumns}
      from changes change
        cross join lateral (
          select part.name as part, part.valid, agent_key, isp_id, package_id, timezone, custom,
                 recorded_at, recorded_by, first_recorded_at, first_recorded_by
          from (${bothIndexes('agent_key = any(change.agent_keys)')}) as h
            cross join lateral (
              -- Not the remaining parts of a longer period that a change has split: they kept their values.
              select 'recorded' as name, coalesce(longer_valid, h.valid) as valid
              where recorded_by = change.id and first_recorded_by is null
              union all
              select 'replaced', longer_valid where shortened_by = change.id
              union all
              select 'replaced', h.valid where superseded_by = change.id
            ) as part
        ) as m
        join agents a on a.id = m.agent_key
        ${namesOfIds} ${authorOfPeriod}
    ),
    measured as (
      select *, count(*) over (partition by "changeId") as total,
             sum(octet_length(custom::text)) over newest - octet_length(custom::text) as bytes_before
      from found
      window newest as (order by "changeId" desc, "agentId", part, "from" desc nulls last)
    )
    select * from measured where bytes_before < ${maxBytes}
    order by "changeId" desc, "agentId", part, "from" desc nulls last`;
}

/** Rows of agent_metadata by agent_key, for which there are two partial indexes. */
export function bothIndexes(ofAgents: string): string {
  return `select * from agent_metadata where ${ofAgents} and superseded_at is null
          union all
          select * from agent_metadata where ${ofAgents} and superseded_at is not null`;
}

/** `rows`: of one change and one agent. */
export function periodsOf(rows: readonly ChangedRow[]): ChangedPeriods {
  const of = (part: ChangedRow['part']) =>
    rows.filter((row) => row.part === part).map(metadataPeriod);
  return { replaced: of('replaced'), recorded: of('recorded') };
}

/** The rows of each change or agent, in their order. */
export function rowsBy<K extends 'changeId' | 'agentId'>(
  key: K,
  rows: readonly ChangedRow[],
): ReadonlyMap<ChangedRow[K], readonly ChangedRow[]> {
  const groups = new Map<ChangedRow[K], ChangedRow[]>();
  for (const row of rows) groups.set(row[key], [...(groups.get(row[key]) ?? []), row]);
  return groups;
}

export interface DryRunChange extends ChangedPeriods {
  readonly agentId: string;
}

/** The change and the first of its agents: those that a response lists. */
export interface ChangeToShow {
  readonly changeId: number;
  readonly agentKeys: readonly number[];
}

/** What a change that is going to be rolled back does to some of its agents. */
export async function dryRunChanges(
  transaction: Knex.Transaction,
  { changeId, agentKeys }: ChangeToShow,
): Promise<readonly DryRunChange[]> {
  const { rows } = await transaction.raw<{ rows: ChangedRow[] }>(dryRunStatement, {
    changeId,
    agentKeys: [...agentKeys],
  });
  return [...rowsBy('agentId', rows)].map(([agentId, ofAgent]) => ({
    agentId,
    ...periodsOf(ofAgent),
  }));
}

const dryRunStatement = changedPeriods(`
  select id, recorded_at, null::json as author, cast(:agentKeys as bigint[]) as agent_keys
  from metadata_changes where id = :changeId`);
