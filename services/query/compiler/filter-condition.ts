import type { Field } from '../../catalog/field.ts';
import { param, sql, type Expression, type Param } from '../../shared/sql/expression.ts';
import type { MetricFilter } from '../request/metric-query.ts';
import { anyOf } from './any-of.ts';
import { type MetadataForm, fieldValue } from './field-value.ts';
import { valueLists } from './value-lists.ts';

/** A result without a value never matches an `include` filter and always matches an `exclude` filter. */
export function filterCondition(
  { field, values, mode }: MetricFilter,
  organisationId: number,
  form: MetadataForm,
): Expression {
  if (field.source.kind === 'set') {
    const isMember = sql`agent_key IN (
    SELECT agent_key FROM agent_set_agents
    WHERE organisation_id = ${param('organisation', 'UInt32', organisationId)}
        AND name IN ${param('set', 'Array(String)', values)})`;
    return mode === 'include' ? isMember : sql`NOT ${isMember}`;
  }
  const lineBreak = field.source.kind === 'custom' ? '\n    ' : ' ';
  const isListed = anyOf(
    valueParams(field, values).map(
      (listed) => sql`${fieldValue(field, form)}${lineBreak}IN ${listed}`,
    ),
  );
  return mode === 'include'
    ? isListed
    : sql`NOT ifNull(
    ${isListed}, 0)`;
}

function valueParams({ source, name }: Field, values: readonly string[]): readonly Param[] {
  const isText = source.kind !== 'column' || source.type === 'text';
  if (!isText) return [param(name, 'Array(UInt64)', values.map(Number))];
  const paramName = source.kind === 'custom' ? 'custom_value' : name;
  return valueLists(values).map((list) => param(paramName, 'Array(String)', list));
}
