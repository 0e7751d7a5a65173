import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';
import { isResultOfAny, offsetSeconds, resultsView, utcOffset } from '../../catalog/result.ts';
import type { TestKey } from '../../catalog/test-tables.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { as, type Select, type Step } from '../../shared/sql/select.ts';
import { clockParam, timeConditions } from '../compiler/conditions.ts';
import type { TimeBound, TimeRange } from '../request/selection.ts';

export interface ValueRange {
  readonly organisationId: number;
  readonly field: Field;
  /** The metrics visible to the organisation that have the field. */
  readonly metrics: readonly Metric[];
  /** Only values of this time. */
  readonly time?: TimeRange | undefined;
}

/**
 * Steps of which the last, `field_values`, has every value of a field once, as a text. With a time, columns
 * of results are read from the results of that time, and metadata from the periods that overlap it.
 */
export function valueSource(range: ValueRange): readonly Step[] {
  const { field, time } = range;
  if (field.source.kind === 'set') return [{ name: 'field_values', select: setNames(range) }];
  if (isOfAgents(field) && (time === undefined || field.source.kind !== 'column')) {
    return [{ name: 'field_values', select: metadataValues(range) }];
  }
  if (time !== undefined) return resultValuesOfTime({ ...range, time });
  return [{ name: 'field_values', select: resultValues(range) }];
}

/** Whether the values of a field are facts about agents, which the metadata snapshot has. */
export function isOfAgents({ source }: Field): boolean {
  if (source.kind !== 'column') return source.kind !== 'set';
  return source.column === 'agent_id' || source.column === 'unit_id';
}

function setNames({ organisationId }: ValueRange): Select {
  return {
    columns: [as('name', 'value')],
    from: 'agent_set_current',
    where: [sql`organisation_id = ${param('organisation', 'UInt32', organisationId)}`],
  };
}

/** From the latest snapshot. Periods that begin in the future have no results yet. */
function metadataValues({ organisationId, field, time }: ValueRange): Select {
  return {
    columns: [as(valueText(field), 'value')],
    ...(time !== undefined && { define: periodClocks }),
    from: 'agent_metadata_current',
    where: [
      sql`organisation_id = ${param('organisation', 'UInt32', organisationId)}`,
      ...(time === undefined ? ['valid_from <= now()'] : overlaps(time)),
      "value != ''",
    ],
    groupBy: ['value'],
  };
}

/** SQL of a value in agent_metadata_current or in the results, as a text; empty if there is none. */
function valueText({ source }: Field): Expression {
  switch (source.kind) {
    case 'custom':
      return sql`custom[${param('custom_key', 'String', source.key)}]`;
    case 'set':
      return 'name';
    case 'metadata':
      return `ifNull(${source.attribute}, '')`;
    case 'column':
      return source.type === 'text' ? source.column : `ifNull(toString(${source.column}), '')`;
  }
}

const periodClocks = ['valid_from', 'valid_to'].map((at) =>
  as(utcOffset('ifNull(cityHash64(timezone), 0)', { at }), `${at}_clock`),
);

// In seconds, because an open period ends at the last second of DateTime.
function overlaps({ from, to }: TimeRange): readonly Expression[] {
  const second = (column: string, bound: TimeBound) =>
    bound.kind === 'instant'
      ? `toInt64(${column})`
      : `toInt64(${column}) + ${offsetSeconds(column, `${column}_clock`)}`;
  return [
    sql`${second('valid_from', to)} <= toInt64(${clockParam('to', to)})`,
    sql`${second('valid_to', from)} >= toInt64(${clockParam('from', from)})`,
  ];
}

/** Collected by the views filter_values_<test>. */
function resultValues({ organisationId, field }: ValueRange): Select {
  return {
    columns: ['value'],
    from: 'filter_values',
    where: [
      sql`organisation_id = ${param('organisation', 'UInt32', organisationId)}`,
      sql`field = ${param('field', 'String', field.name)}`,
    ],
    groupBy: ['value'],
  };
}

function resultValuesOfTime(range: ValueRange & { readonly time: TimeRange }): readonly Step[] {
  const tests = [...new Set(range.metrics.map(({ test }) => test))];
  return [
    ...tests.map((test) => ({ name: `values_${test}`, select: valuesOfTest(range, test) })),
    {
      name: 'field_values',
      select: {
        columns: ['value'],
        from: `(${tests.map((test) => `SELECT value FROM values_${test}`).join(' UNION ALL ')})`,
        groupBy: ['value'],
      },
    },
  ];
}

function valuesOfTest(range: ValueRange & { readonly time: TimeRange }, test: TestKey): Select {
  const metrics = range.metrics.filter((metric) => metric.test === test);
  return {
    columns: [as(valueText(range.field), 'value')],
    from: resultsView(test),
    where: [
      sql`organisation_id = ${param('organisation', 'UInt32', range.organisationId)}`,
      ...timeConditions([range.time]),
      `(${isResultOfAny(metrics)})`,
      "value != ''",
    ],
    groupBy: ['value'],
  };
}
