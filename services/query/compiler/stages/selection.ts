import { isExcluded } from '../../../catalog/excluded-metrics.ts';
import type { Field } from '../../../catalog/field.ts';
import { isMaskedValue } from '../../../catalog/metric.ts';
import { param, sql } from '../../../shared/sql/expression.ts';
import { as } from '../../../shared/sql/select.ts';
import type { MetricQuery } from '../../request/metric-query.ts';
import type { LocalWindow } from '../../request/selection.ts';
import { allOf, filterCondition, timeConditions } from '../conditions.ts';
import { fieldValue } from '../field-value.ts';
import type { Asked, Stage } from '../stage.ts';

// The stages that decide which results a query reads, and which of them are of the points.

/** The flags of a row that has a value, and of one in the window. */
export const hasValue = 'has_value';
export const inWindow = 'in_window';

export const source: Stage = {
  name: 'results and prefilter',
  of({ query, report }) {
    const isReport = report !== undefined;
    const organisation = param('organisation', 'UInt32', query.organisationId);
    return {
      ...(query.knownAt !== undefined && { dependsOn: ['data beyond the range'] }),
      results: {
        why: isReport
          ? 'Rows of the test in the range, also those without a value, with metadata and local time when they ran.'
          : 'Results of the test in the range, with the metadata and local time of their household when they ran.',
        where: [
          sql`organisation_id = ${organisation}`,
          ...(isReport ? rowConditions(query) : resultConditions(query)),
        ],
        flags: isReport ? [as(countsWhen(query), hasValue)] : [],
      },
    };
  },
};

function resultConditions(query: MetricQuery): readonly string[] {
  return [countsWhen(query), ...(query.prefilter ? [passesWhen(query)] : [])];
}

/** Masked results count in points, and are left out of raw data. */
function countsWhen({ metric, chartType }: MetricQuery): string {
  const { masked, existsWhen } = metric;
  if (masked === undefined || chartType === 'raw') return existsWhen;
  return `(isNotNull(${masked}) OR ${isMaskedValue(masked)})`;
}

function passesWhen({ metric, chartType }: MetricQuery): string {
  const { masked, prefilter } = metric;
  if (masked === undefined || chartType === 'raw') return prefilter;
  return `(${isMaskedValue(masked)} OR (${prefilter}))`;
}

/** Reports also read the rows without a value, to count households that have no others. */
function rowConditions(query: MetricQuery): readonly string[] {
  const { onlyWhen, existsWhen } = query.metric;
  if (existsWhen === '1') return resultConditions(query);
  const passes = `(NOT (${countsWhen(query)}) OR (${passesWhen(query)}))`;
  return [onlyWhen, ...(query.prefilter ? [passes] : [])];
}

export const range: Stage = {
  name: 'range and filters by fields of results',
  of(asked) {
    const { conditions } = filtersOf(asked, (field) => !isOfMetadata(field));
    const why = 'Only those that pass the filters by fields of results.';
    return {
      results: {
        ...(conditions.length > 0 && { why }),
        where: [...timeConditions(asked.query.times), ...conditions],
      },
    };
  },
};

export const metadataFilters: Stage = {
  name: 'filters by metadata',
  of(asked, before) {
    const { conditions, fields } = filtersOf(asked, isOfMetadata);
    if (fields.length === 0) return undefined;
    const isFlag = before.some(({ needs = [] }) => needs.includes('with other metadata'));
    return {
      results: isFlag
        ? {
            why: 'The filters by metadata are a flag: a household needs its other results too.',
            fields,
            flags: [as(sql`ifNull(${allOf(conditions)}, 0)`, 'is_selected')],
          }
        : { why: 'Only those that pass the filters by metadata.', fields, where: conditions },
    };
  },
};

function filtersOf({ query, form }: Asked, isOfStage: (field: Field) => boolean) {
  const filters = query.filters.filter(({ field }) => isOfStage(field));
  return {
    fields: filters.map(({ field }) => field),
    conditions: filters.map((filter) => filterCondition(filter, query.organisationId, form)),
  };
}

/** `agent`, `unit` and `set` are not: they do not divide a household. */
function isOfMetadata({ source: { kind } }: Field): boolean {
  return kind === 'metadata' || kind === 'custom';
}

export const window: Stage = {
  name: 'window',
  of({ query }, before) {
    if (query.window === undefined) return undefined;
    const condition = windowCondition(query.window);
    const isFlag = before.some(({ needs = [] }) => needs.includes('outside the window'));
    return {
      results: isFlag
        ? {
            why: 'The window is a flag: a household needs its other results too.',
            flags: [as(condition, inWindow)],
          }
        : { why: 'Only weekdays and hours of the window, in local time.', where: [condition] },
    };
  },
};

/** SQL over `local_time`. The numbers were parsed: they are weekdays and hours. */
export function windowCondition({ days, hours, invert }: LocalWindow): string {
  const conditions = [
    ...(days.length === 0 ? [] : [`toDayOfWeek(local_time) IN (${days.join(', ')})`]),
    ...(hours.length === 0 ? [] : [`toHour(local_time) IN (${hours.join(', ')})`]),
  ];
  const all = conditions.join(' AND ');
  return invert ? `NOT (${all})` : conditions.length === 1 ? all : `(${all})`;
}

export const exclusions: Stage = {
  name: 'exclusions',
  of({ query, report, form }) {
    const field = query.exclusions;
    if (field === undefined) return undefined;
    const isIncluded = sql`NOT ${isExcluded(query.metric, fieldValue(field, form))}`;
    const why = 'Without agents that are excluded from the metric at that time.';
    if (report === undefined) return { results: { why, where: [isIncluded], fields: [field] } };
    // A report counts what it leaves out.
    const when = { kept: 'is_included', leftOut: 'NOT is_included' };
    return {
      results: { columns: [as(isIncluded, 'is_included')], fields: [field] },
      leavesOut: [{ column: 'results_excluded', name: 'resultsExcluded', counts: 'results', when }],
    };
  },
};
