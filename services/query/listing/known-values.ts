import { createHash } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import type { Field } from '../../catalog/field.ts';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { paramValues, printQuery } from '../../shared/sql/print-query.ts';
import { latestPublication } from '../access/latest-publication.ts';
import { valueLists } from '../compiler/value-lists.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';
import { type QueryLimits, querySettings } from '../execution/query-settings.ts';
import { valueSource } from './value-source.ts';

export interface CheckedValues {
  /** The checked values that an agent has or had. */
  readonly known: ReadonlySet<string>;
  /** Values to suggest instead of an unknown one. */
  readonly candidates: readonly string[];
}

/** The values of a field, or the first ones of more than `maxListedValues`. */
interface ListedValues {
  readonly values: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** Fields with more values, such as the ids of agents, are looked up value by value. */
const maxListedValues = 1_000;
/** In characters, over all organisations. */
const maxCachedCharacters = 20_000_000;
const timeoutMs = 5_000;

/** Whether agents have or had a value of a field. A publication of metadata never changes, so its values are cached. */
export class KnownValues {
  readonly #clickhouse: ClickHouseClient;
  readonly #limits: QueryLimits;
  // The ttl only joins requests of the same moment: a change must be known as soon as it is published.
  readonly #versions: LRUCache<number, string>;
  readonly #listed: LRUCache<string, ListedValues, FieldOfOrganisation>;
  readonly #lookedUp: LRUCache<string, ReadonlySet<string>, ValuesOfField>;

  constructor(clickhouse: ClickHouseClient, limits: QueryLimits) {
    this.#clickhouse = clickhouse;
    this.#limits = { ...limits, queryTimeoutMs: timeoutMs };
    this.#versions = new LRUCache({
      max: 1_000,
      ttl: 1,
      ignoreFetchAbort: true,
      fetchMethod: (organisationId) => latestPublication(clickhouse, organisationId),
    });
    this.#listed = new LRUCache({
      maxSize: maxCachedCharacters,
      sizeCalculation: ({ values }) => charactersOf(values),
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.#readListed(context),
    });
    this.#lookedUp = new LRUCache({
      maxSize: maxCachedCharacters,
      sizeCalculation: charactersOf,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.#readKnown(context),
    });
  }

  /** Undefined if metadata was published meanwhile: the values may have been read while they were dropped. */
  async check(context: ValuesOfField): Promise<CheckedValues | undefined> {
    const { organisationId, field, values } = context;
    const version = await this.#versions.forceFetch(organisationId);
    const key = `${organisationId}:${version}:${JSON.stringify(field.source)}`;
    const isListed = this.#listed.has(key);
    const listed = await this.#listed.forceFetch(key, { context });
    const lookupKey = `${key}:${listed.isComplete ? '' : hashOf(values)}`;
    const isCached = isListed && (listed.isComplete || this.#lookedUp.has(lookupKey));
    const checked = listed.isComplete
      ? { known: listed.values, candidates: [...listed.values] }
      : { known: await this.#lookedUp.forceFetch(lookupKey, { context }), candidates: [] };
    if (isCached) return checked;
    if ((await latestPublication(this.#clickhouse, organisationId)) === version) return checked;
    this.#listed.delete(key);
    this.#lookedUp.delete(lookupKey);
    return undefined;
  }

  async #readListed(context: FieldOfOrganisation): Promise<ListedValues> {
    const values = await this.#read(context, [], maxListedValues + 1);
    return { values: new Set(values), isComplete: values.length <= maxListedValues };
  }

  async #readKnown(context: ValuesOfField): Promise<ReadonlySet<string>> {
    const conditions = valueLists(context.values).map(
      (list) => sql`value IN ${param('value', 'Array(String)', list)}`,
    );
    const isAny = ['(', ...conditions.flatMap((one, i) => (i === 0 ? [one] : [' OR ', one])), ')'];
    return new Set(await this.#read(context, [isAny], context.values.length));
  }

  async #read(
    { organisationId, field }: FieldOfOrganisation,
    where: readonly Expression[],
    limit: number,
  ): Promise<readonly string[]> {
    const { sql: query, params } = printQuery({
      steps: valueSource({ organisationId, field, metrics: [] }),
      select: { columns: ['value'], from: 'field_values', where },
    });
    const rows = await queryRows<{ value: string }>(
      this.#clickhouse,
      `${query}\nLIMIT {limit:UInt32}`,
      {
        query_params: { ...paramValues(params), limit },
        clickhouse_settings: {
          ...querySettings(this.#limits),
          ...organisationSettings(organisationId),
        },
      },
    );
    return rows.map(({ value }) => value);
  }
}

interface FieldOfOrganisation {
  readonly organisationId: number;
  /** A field of agents: see `isOfAgents`. */
  readonly field: Field;
}

interface ValuesOfField extends FieldOfOrganisation {
  readonly values: readonly string[];
}

function hashOf(values: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url');
}

function charactersOf(values: ReadonlySet<string>): number {
  return [...values].reduce((sum, value) => sum + value.length, 1);
}
