import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** A row of audit_events. */
export interface AuditEvent {
  readonly occurredAt: Date;
  /** null: no organisation, such as a request without a valid token. */
  readonly organisationId: number | null;
  /** `token 12`, `address 192.0.2.1`, or the program and database user of an operator. */
  readonly actor: string;
  /** Such as token.create or request.refuse. */
  readonly action: string;
  readonly target: string;
  readonly details: object;
  /** OK, or the error code of a refused request. */
  readonly outcome: string;
}

/** For events that no trigger records: changes of the registry are recorded by the database. */
export async function recordAuditEvents(
  database: Database,
  events: readonly AuditEvent[],
): Promise<void> {
  const rows = events.map(({ occurredAt, organisationId, details, ...event }) => ({
    ...event,
    occurred_at: occurredAt,
    organisation_id: organisationId,
    details: JSON.stringify(details),
  }));
  await database('audit_events').insert(rows);
}

export interface AuditFilter {
  /** Undefined: all organisations. */
  readonly organisationId?: number | undefined;
  readonly since: Date;
  /** `token.create`, or `token` for all actions on tokens; undefined: all. */
  readonly action?: string | undefined;
  readonly limit: number;
}

export interface ListedEvent extends AuditEvent {
  readonly organisation: string | null;
}

/** The events and the changes of metadata, newest first. */
export async function listAuditEvents(
  database: Database,
  { organisationId, since, action, limit }: AuditFilter,
): Promise<readonly ListedEvent[]> {
  const { rows } = await database.raw<{ rows: ListedEvent[] }>(
    `select e.occurred_at as "occurredAt", e.organisation_id as "organisationId",
            o.name as organisation, e.actor, e.action, e.target, e.details, e.outcome
     from (
       select id, occurred_at, organisation_id, actor, action, target, details, outcome
       from audit_events
       union all
       select id, recorded_at, organisation_id,
              coalesce('token ' || token_id, 'command line'), 'metadata.change', 'change ' || id,
              jsonb_build_object('agents', agent_count), 'OK'
       from metadata_changes
     ) as e
       left join organisations o on o.id = e.organisation_id
     where e.occurred_at >= :since
       and (cast(:organisationId as integer) is null or e.organisation_id = :organisationId)
       and (cast(:action as text) is null or e.action = :action
            or starts_with(e.action, :action || '.'))
     order by e.occurred_at desc, e.id desc
     limit :limit`,
    { since, organisationId: organisationId ?? null, action: action ?? null, limit },
  );
  return rows;
}
