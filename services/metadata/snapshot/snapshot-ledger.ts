import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Publication } from './snapshot-content.ts';

/** An organisation with unpublished changes. */
interface WaitingOrganisation {
  readonly organisationId: number;
  /** Changed agents, and agents to publish again with them; null: all. */
  readonly agents: number | null;
}

/** The numbers of the publications of an organisation; 0 if there is none. */
interface PublicationNumbers {
  readonly snapshot: number;
  readonly changes: number;
}

/** A row of the outbox. */
export interface WaitingChange {
  readonly id: number;
  readonly version: number;
  /** null: any agent of the organisation. */
  readonly agentKeys: readonly number[] | null;
  /** UNIX time from which metadata changed; 0: any time. */
  readonly affectedFromS: number;
}

/** The state of snapshots in Postgres: the outbox of changes and the publications of each organisation. */
export class SnapshotLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Organisations with unpublished changes, the longest waiting first. */
  async waitingOrganisations(): Promise<readonly WaitingOrganisation[]> {
    const { rows } = await this.#database.raw<{ rows: WaitingOrganisation[] }>(
      `select o.organisation_id as "organisationId",
              case when s.organisation_id is not null and not bool_or(o.agent_keys is null)
                then s.changed_agents + sum(cardinality(o.agent_keys))::float8 end as agents
       from snapshot_outbox o left join snapshot_organisations s using (organisation_id)
       group by o.organisation_id, s.organisation_id, s.changed_agents
       order by min(o.recorded_at)`,
    );
    return rows;
  }

  /** Organisations with many changed agents, or with some for long. */
  async organisationsToFold(minAgents: number, afterS: number): Promise<readonly number[]> {
    return this.#database('snapshot_organisations')
      .where('changed_agents', '>=', minAgents)
      .orWhereRaw(`changed_since < now() - make_interval(secs => ?)`, [afterS])
      .orderBy('changed_since')
      .pluck<number[]>('organisation_id');
  }

  /** The planner's estimate over all organisations: it is queried four times a second. */
  async agentCount(): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ agents: number }] }>(
      `select greatest(reltuples, 0)::float8 as agents from pg_class where oid = 'agents'::regclass`,
    );
    return rows[0].agents;
  }

  /** The publications of these organisations; default: of every one. */
  async publications(
    organisationIds?: readonly number[],
  ): Promise<ReadonlyMap<number, PublicationNumbers>> {
    const { rows } = await this.#database.raw<{
      rows: (PublicationNumbers & { organisationId: number })[];
    }>(
      `select o.id as "organisationId", coalesce(s.publication, 0) as snapshot,
              coalesce(s.change_publication, 0) as changes
       from organisations o left join snapshot_organisations s on s.organisation_id = o.id
       where cast(:ids as int[]) is null or o.id = any(cast(:ids as int[]))`,
      { ids: organisationIds === undefined ? null : [...organisationIds] },
    );
    return new Map(rows.map(({ organisationId, ...numbers }) => [organisationId, numbers]));
  }

  /** Higher than all earlier numbers, including those that only ClickHouse has. */
  async nextNumber(latestInClickHouse: number): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ number: number }] }>(
      `select setval('snapshot_version_numbers',
                     greatest(nextval('snapshot_version_numbers'), ?)) as number`,
      [latestInClickHouse + 1],
    );
    return rows[0].number;
  }

  /**
   * Records a snapshot that has all changes up to an empty publication of changes, and returns how long each
   * of its changes took, in seconds.
   */
  async recordSnapshot(
    { organisationId, number, content }: Publication,
    emptyChanges: number,
    changes: readonly WaitingChange[],
  ): Promise<readonly number[]> {
    return this.#database.transaction(async (transaction) => {
      await transaction('snapshot_organisations')
        .insert({
          organisation_id: organisationId,
          publication: number,
          row_count: content.rowCount,
          content_hash: content.contentHash.toString(),
          change_publication: emptyChanges,
          changed_agents: 0,
          changed_since: null,
          published_at: transaction.fn.now(),
        })
        .onConflict('organisation_id')
        .merge();
      return deleteChanges(transaction, changes);
    });
  }

  /** Records that changes were published for a number of agents, and how long each took. */
  async recordChanges(
    { organisationId, number }: Publication,
    changedAgents: number,
    changes: readonly WaitingChange[],
  ): Promise<readonly number[]> {
    return this.#database.transaction(async (transaction) => {
      await transaction('snapshot_organisations')
        .where({ organisation_id: organisationId })
        .update({
          change_publication: number,
          changed_agents: changedAgents,
          changed_since: transaction.raw('coalesce(changed_since, now())'),
          published_at: transaction.fn.now(),
        });
      return deleteChanges(transaction, changes);
    });
  }
}

async function deleteChanges(
  transaction: Knex.Transaction,
  changes: readonly WaitingChange[],
): Promise<readonly number[]> {
  const { rows } = await transaction.raw<{ rows: { seconds: number }[] }>(
    `delete from snapshot_outbox where id = any(?)
     returning extract(epoch from clock_timestamp() - recorded_at)::float8 as seconds`,
    [changes.map(({ id }) => id)],
  );
  return rows.map(({ seconds }) => seconds);
}

/**
 * The changes of an organisation that a transaction sees. Not "up to the highest id": a change with a
 * lower id may be committed later, and would be deleted without having been published.
 */
export async function waitingChanges(
  transaction: Knex.Transaction,
  organisationId: number,
): Promise<readonly WaitingChange[]> {
  const { rows } = await transaction.raw<{ rows: WaitingChange[] }>(
    `select id, version, agent_keys::float8[] as "agentKeys",
            coalesce(greatest(extract(epoch from affected_from), 0), 0)::float8 as "affectedFromS"
     from snapshot_outbox where organisation_id = ? order by version`,
    [organisationId],
  );
  return rows;
}
