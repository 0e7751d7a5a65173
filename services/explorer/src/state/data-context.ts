import type { Field, Metric, Split } from '../../../../openapi/client/index.ts';
import type { DataApi } from '../api/data-api.ts';
import type { Query } from './view-state.ts';
import type { ViewStore } from './view-store.ts';

/** What the form and the results share: the data interface, and what it offers to the token. */
export interface DataContext {
  readonly api: DataApi;
  readonly store: ViewStore;
  readonly metrics: readonly Metric[];
  /** For splits and filters. */
  readonly fields: readonly Field[];
  /** The custom fields with numbers. */
  readonly numericFields: readonly Split[];
  /** The field of the map, whose values are its regions; undefined without a map. */
  readonly mapField: string | undefined;
}

/** The metric of a query; undefined if it is unknown. */
export function metricOf(
  { metrics }: Pick<DataContext, 'metrics'>,
  { metric }: Query,
): Metric | undefined {
  return metrics.find(({ key, aliases }) => key === metric || aliases.includes(metric));
}
