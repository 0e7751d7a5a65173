import type { ClickHouseClient } from '@clickhouse/client';
import type { Field } from '../../catalog/field.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { paramValues, printQuery } from '../../shared/sql/print-query.ts';
import { publicationCache } from '../access/latest-publication.ts';
import { contentKey } from '../cache/content-key.ts';
import { anyOf, valueLists } from '../compiler/conditions.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { QueryLimits } from '../execution/query-settings.ts';
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

export type KnownValues = (context: ValuesOfField) => Promise<CheckedValues>;

/** Whether agents have or had a value of a field. */
export function knownValues(clickhouse: ClickHouseClient, config: QueryLimits): KnownValues {
  const limits = { ...config, queryTimeoutMs: timeoutMs };
  const maxSize = maxCachedCharacters;
  const listed = publicationCache<ListedValues>(clickhouse, {
    maxSize,
    sizeCalculation: ({ values }) => charactersOf(values),
  });
  const lookedUp = publicationCache<ReadonlySet<string>>(clickhouse, {
    maxSize,
    sizeCalculation: charactersOf,
  });
  return async (context) => {
    const { organisationId, field, values: checked } = context;
    const source = JSON.stringify(field.source);
    const found = await listed(organisationId, source, () => readListed(context));
    if (found.isComplete) return { known: found.values, candidates: [...found.values] };
    const name = `${source}:${contentKey(checked)}`;
    const known = await lookedUp(organisationId, name, () => readKnown(context));
    return { known, candidates: [] };
  };

  async function readListed(context: ValuesOfField): Promise<ListedValues> {
    const values = await readValues(context, [], maxListedValues + 1);
    return { values: new Set(values), isComplete: values.length <= maxListedValues };
  }

  async function readKnown(context: ValuesOfField): Promise<ReadonlySet<string>> {
    const conditions = valueLists(context.values).map(
      (list) => sql`value IN ${param('value', 'Array(String)', list)}`,
    );
    return new Set(await readValues(context, [anyOf(conditions)], context.values.length));
  }

  async function readValues(
    { organisationId, field }: ValuesOfField,
    where: readonly Expression[],
    limit: number,
  ): Promise<readonly string[]> {
    const { sql: query, params } = printQuery({
      steps: valueSource({ organisationId, field, metrics: [] }),
      select: { columns: ['value'], where },
    });
    const rows = await organisationRows<{ value: string }>(
      clickhouse,
      organisationId,
      `${query}\nLIMIT {limit:UInt32}`,
      { params: { ...paramValues(params), limit }, limits },
    );
    return rows.map(({ value }) => value);
  }
}

interface ValuesOfField {
  readonly organisationId: number;
  /** A field of agents: see `isOfAgents`. */
  readonly field: Field;
  readonly values: readonly string[];
}

function charactersOf(values: ReadonlySet<string>): number {
  return [...values].reduce((sum, value) => sum + value.length, 1);
}
