import type { Knex } from 'knex';

/** A release would replace what is recorded for its own time or later. Nothing was changed. */
export class OverwrittenHistory extends Error {
  override readonly name = 'OverwrittenHistory';
  readonly agents: number;
  /** Start of the recorded values that would be replaced; null: they have none. */
  readonly recordedFrom: Date | null;
  /** The values of the release are recorded at its start; only later ones differ. */
  readonly isApplied: boolean;

  constructor({ agents, recordedFrom, isApplied }: Overwritten) {
    super(`values of ${agents} agents would be overwritten`);
    this.agents = agents;
    this.recordedFrom = recordedFrom;
    this.isApplied = isApplied;
  }
}

interface Overwritten {
  readonly agents: number;
  readonly recordedFrom: Date | null;
  readonly isApplied: boolean;
}

/**
 * Throws OverwrittenHistory if the last change of the organisation replaced values that were recorded for
 * `validFromUtc` or later. To be called in the transaction of an import that changed something.
 *
 * The first import of an agent is valid for all time, so the start of a period is not always the time that
 * its file describes: metadata_changes.request has it as `from`.
 */
export async function rejectOverwrite(
  transaction: Knex.Transaction,
  organisationId: number,
  validFromUtc: Date | null,
): Promise<void> {
  const { rows } = await transaction.raw<{ rows: [Overwritten] }>(
    `with last_change as (
       select max(id) as id from metadata_changes where organisation_id = :organisationId
     ),
     replaced as (
       select m.agent_key,
              greatest(lower(m.valid), cast(c.request ->> 'from' as timestamptz)) as recorded_from
       from agent_metadata m left join metadata_changes c on c.id = m.recorded_by
       where m.superseded_by = (select id from last_change)
     )
     select count(distinct agent_key)::integer as agents, min(recorded_from) as "recordedFrom",
            not exists (select from agent_metadata m
                        where m.recorded_by = (select id from last_change)
                          and m.valid @> cast(:validFromUtc as timestamptz)) as "isApplied"
     from replaced
     where cast(:validFromUtc as timestamptz) is null or recorded_from >= :validFromUtc`,
    { organisationId, validFromUtc },
  );
  if (rows[0].agents > 0) throw new OverwrittenHistory(rows[0]);
}
