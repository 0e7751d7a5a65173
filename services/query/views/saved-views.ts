import type { Knex } from 'knex';
import type { Caller } from '../../shared/auth/caller.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { isUuid } from '../../shared/is-uuid.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import { requireFloorOfView } from '../request/privacy-floor.ts';
import type { NewView } from '../request/parse-saved-view.ts';

interface ListedView {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface SavedView extends ListedView {
  readonly state: string;
}

const maxViews = 200;

/**
 * The saved views of organisations. A token with a privacy floor sees those that were saved with at least the same
 * floor: a view can have the ids of agents in its filters.
 */
export class SavedViews {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of their names. */
  list({ organisationId, minAgents }: Caller): Promise<readonly ListedView[]> {
    return inOrganisation(this.#database, organisationId, async (transaction) =>
      transaction('saved_views')
        .where({ organisation_id: organisationId })
        .where('min_agents', '>=', minAgents)
        .orderBy('name')
        .select(listedColumns),
    );
  }

  /** Throws NOT_FOUND, also for a view of another organisation, or PRIVACY_FLOOR. */
  find({ organisationId, minAgents }: Caller, id: string): Promise<SavedView> {
    return inOrganisation(this.#database, organisationId, async (transaction) => {
      // Postgres throws an error if the text is not a UUID.
      const found = isUuid(id)
        ? await transaction('saved_views')
            .where({ organisation_id: organisationId, id })
            .first<(SavedView & { min_agents: number }) | undefined>({
              ...savedColumns,
              min_agents: 'min_agents',
            })
        : undefined;
      if (found === undefined) throw new AppError('NOT_FOUND');
      const { min_agents, ...view } = found;
      requireFloorOfView(minAgents, min_agents);
      return view;
    });
  }

  /** Throws VALIDATION_FAIL if the name is used, or the organisation has the maximum of views. */
  save(caller: Caller, { name, state }: NewView): Promise<SavedView> {
    const { organisationId, tokenId, minAgents } = caller;
    return inOrganisation(this.#database, organisationId, async (transaction) => {
      const others = await lockedViews(transaction, organisationId);
      requireFreeName(name, others);
      if (others.length >= maxViews) throw validationError({ name: [tooManyViews] });
      const [saved] = await transaction('saved_views')
        .insert({
          organisation_id: organisationId,
          token_id: tokenId,
          name,
          state,
          min_agents: minAgents,
        })
        .returning<SavedView[]>(returnedColumns);
      if (saved === undefined) throw new AppError('UNKNOWN_ERROR');
      return saved;
    });
  }

  /** Throws the same errors as `find`, and VALIDATION_FAIL if another view has the name. */
  async rename(caller: Caller, id: string, name: string): Promise<SavedView> {
    const { organisationId } = caller;
    await this.find(caller, id);
    return inOrganisation(this.#database, organisationId, async (transaction) => {
      const all = await lockedViews(transaction, organisationId);
      requireFreeName(
        name,
        all.filter((view) => view.id !== id),
      );
      const [renamed] = await transaction('saved_views')
        .where({ organisation_id: organisationId, id })
        .update({ name })
        .returning<SavedView[]>(returnedColumns);
      // Deleted since it was found.
      if (renamed === undefined) throw new AppError('NOT_FOUND');
      return renamed;
    });
  }

  /** Throws the same errors as `find`. */
  async remove(caller: Caller, id: string): Promise<void> {
    const { organisationId } = caller;
    await this.find(caller, id);
    await inOrganisation(this.#database, organisationId, async (transaction) => {
      await transaction('saved_views').where({ organisation_id: organisationId, id }).delete();
    });
  }
}

type NamedView = Pick<ListedView, 'id' | 'name'>;

/** The views of an organisation. Its saves and renames follow one another: each checks the names of the others. */
async function lockedViews(transaction: Knex.Transaction, organisationId: number) {
  await waitForLock(transaction, lockTable.savedViews(organisationId));
  return transaction('saved_views')
    .where({ organisation_id: organisationId })
    .select<NamedView[]>('id', 'name');
}

function requireFreeName(name: string, others: readonly NamedView[]): void {
  if (others.some((view) => view.name === name)) throw validationError({ name: [nameIsUsed] });
}

const listedColumns = { id: 'id', name: 'name', createdAt: 'created_at' };
const savedColumns = { ...listedColumns, state: 'state' };
const returnedColumns = Object.entries(savedColumns).map(
  ([name, column]) => `${column} as ${name}`,
);

const nameIsUsed =
  'Your organisation has a view with this name. Choose another name, or delete that view.';
const tooManyViews = `Your organisation has ${maxViews} views, the maximum. Delete one first.`;
