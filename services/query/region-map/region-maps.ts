import type { Caller } from '../../shared/auth/caller.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { contentKey } from '../cache/content-key.ts';
import type { RegionMap } from './parse-region-map.ts';

/** The regions of a field. */
export interface FieldMap extends RegionMap {
  /** As in GET /splits. */
  readonly field: string;
}

interface TaggedMap extends FieldMap {
  /** Another one whenever the map changes. */
  readonly tag: string;
}

/** The maps of organisations. The map of the settings is for those that have none. */
export class RegionMaps {
  readonly #database: Database;
  readonly #fallback: TaggedMap | undefined;

  constructor(database: Database, fallback: FieldMap | undefined) {
    this.#database = database;
    this.#fallback = fallback && { ...fallback, tag: tagOf(fallback) };
  }

  /** Undefined without a map. */
  async fieldOf({ organisationId }: Caller): Promise<string | undefined> {
    const [own] = await inOrganisation(this.#database, organisationId, async (transaction) =>
      transaction('region_maps')
        .where({ organisation_id: organisationId })
        .pluck<string[]>('field'),
    );
    return own ?? this.#fallback?.field;
  }

  /** Throws NOT_FOUND without a map. */
  async find({ organisationId }: Caller): Promise<TaggedMap> {
    const own = await inOrganisation(this.#database, organisationId, async (transaction) =>
      transaction('region_maps')
        .where({ organisation_id: organisationId })
        .first<{ field: string; regions: string; tag: string } | undefined>(),
    );
    if (own === undefined) {
      if (this.#fallback === undefined) throw new AppError('NOT_FOUND');
      return this.#fallback;
    }
    const { field, regions, tag } = own;
    return { field, tag, regions: JSON.parse(regions) as RegionMap['regions'] };
  }

  /** Returns the tag. */
  async save({ organisationId, tokenId }: Caller, map: FieldMap): Promise<string> {
    const tag = tagOf(map);
    await inOrganisation(this.#database, organisationId, async (transaction) => {
      await transaction('region_maps')
        .insert({
          organisation_id: organisationId,
          token_id: tokenId,
          field: map.field,
          regions: JSON.stringify(map.regions),
          tag,
          updated_at: transaction.fn.now(),
        })
        .onConflict('organisation_id')
        .merge();
    });
    return tag;
  }

  /** Throws NOT_FOUND if the organisation has no map of its own. */
  async remove({ organisationId }: Caller): Promise<void> {
    const removed = await inOrganisation(this.#database, organisationId, async (transaction) =>
      transaction('region_maps').where({ organisation_id: organisationId }).delete(),
    );
    if (removed === 0) throw new AppError('NOT_FOUND');
  }
}

function tagOf({ field, regions }: FieldMap): string {
  return contentKey([field, regions]);
}
