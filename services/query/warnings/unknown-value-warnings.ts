import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Field } from '../../catalog/field.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import { maxWarnings, type Warning, Warnings } from '../../shared/errors/warnings.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';
import type { MetricFilter } from '../request/selection.ts';
import { nearest } from '../../shared/nearest.ts';
import type { CheckedValues, KnownValues } from '../listing/known-values.ts';
import { isOfAgents } from '../listing/value-source.ts';

/** Values after the first thousand of a request are not checked. */
const maxCheckedValues = 1_000;
/** A response waits for its warnings no longer than this, counted from its start. */
const timeoutMs = 2_000;

/** Filters of the request, and those of the other side of a comparison. */
type CheckedQuery = Pick<MetricQuery, 'organisationId' | 'filters' | 'warnings'> &
  Pick<Partial<AggregateMetricQuery>, 'report'>;

/**
 * The warnings of a query, with one for each filter value that no agent has ever had. Starts at once, in parallel with
 * the query. Never rejects: if the check fails or takes too long, there are no such warnings.
 */
export async function unknownValueWarnings(
  query: CheckedQuery,
  known: KnownValues,
  logger: Logger,
): Promise<readonly Warning[]> {
  if (query.warnings.length >= maxWarnings) return query.warnings;
  try {
    return await withTimeout(timeoutMs, checkedQuery(query, known));
  } catch (error) {
    logger.warn('filter values were not checked', { error });
    return query.warnings;
  }
}

// One filter after the other: a request must not run fifty queries at once.
async function checkedQuery(
  { organisationId, filters, report, warnings: found }: CheckedQuery,
  known: KnownValues,
): Promise<readonly Warning[]> {
  const endsAtMs = performance.now() + timeoutMs;
  const warnings = new Warnings(found);
  for (const { field, values, path } of checkedFilters([
    { path: 'filters', filters },
    { path: 'compare[filters]', filters: report?.compare?.there.filters ?? [] },
  ])) {
    // The response has been sent without the warnings.
    if (performance.now() > endsAtMs) break;
    const checked = await known({ organisationId, field, values });
    for (const [i, value] of values.entries()) {
      if (value === '' || checked.known.has(value)) continue;
      if (warnings.isFull) return warnings.list;
      // The search for a similar value takes a millisecond.
      await nextTurn();
      warnings.add('UNKNOWN_VALUE', `${path}[filterValues][${i}]`, message(field, value, checked));
    }
  }
  return warnings.list;
}

interface CheckedFilter extends Pick<MetricFilter, 'field' | 'values'> {
  readonly path: string;
}

interface FilterList {
  readonly path: string;
  readonly filters: readonly MetricFilter[];
}

function checkedFilters(lists: readonly FilterList[]): readonly CheckedFilter[] {
  let left = maxCheckedValues;
  return lists.flatMap(({ path, filters }) =>
    filters.flatMap(({ field, values }, i) => {
      if (!isOfAgents(field) || left === 0) return [];
      const checked = values.slice(0, left).map((value) => storedForm(value, field));
      left -= checked.length;
      return [{ field, values: checked, path: `${path}[${i}]` }];
    }),
  );
}

/** A filter on `007` matches unit 7. */
function storedForm(value: string, { source }: Field): string {
  return source.kind === 'column' && source.type !== 'text' ? String(Number(value)) : value;
}

function message(field: Field, value: string, { candidates }: CheckedValues): string {
  const shown = JSON.stringify(shortened(value));
  const unknown =
    field.source.kind === 'column'
      ? `There is no ${field.name} ${shown}.`
      : `No agent has ever had the ${shortened(field.name)} ${shown}.`;
  const meant = nearest(value, candidates);
  return meant === undefined
    ? `${unknown} GET /filters/${shortened(encodeURIComponent(field.name))}/values lists the values.`
    : `${unknown} Did you mean ${JSON.stringify(meant)}?`;
}
