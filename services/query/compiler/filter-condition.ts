import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import type { MetricFilter } from '../request/metric-query.ts';
import { fieldValue } from './field-value.ts';

/** A result without a value never matches an `include` filter and always matches an `exclude` filter. */
export function filterCondition({ field, values, mode }: MetricFilter): Expression {
  const { source } = field;
  const isText = source.kind !== 'column' || source.type === 'text';
  const name = source.kind === 'custom' ? 'custom_value' : field.name;
  const listed = isText
    ? param(name, 'Array(String)', values)
    : param(name, 'Array(UInt64)', values.map(Number));
  const lineBreak = source.kind === 'custom' ? '\n    ' : ' ';
  const isListed = sql`${fieldValue(field)}${lineBreak}IN ${listed}`;
  return mode === 'include'
    ? isListed
    : sql`NOT ifNull(
    ${isListed}, 0)`;
}
