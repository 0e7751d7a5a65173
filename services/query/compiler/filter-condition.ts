import type { MetricFilter } from '../request/metric-query.ts';
import { customValue, type MetadataLookup } from './metadata-lookup.ts';
import type { ParamBinder } from './param-binder.ts';

/** A result without a value is never among the included, and never dropped by an exclusion. */
export function filterCondition(
  filter: MetricFilter,
  metadata: MetadataLookup,
  binder: ParamBinder,
): string {
  const listed = isListed(filter, metadata, binder);
  return filter.mode === 'include' ? listed : `NOT ifNull(${listed}, 0)`;
}

function isListed(
  { field: { source }, values }: MetricFilter,
  metadata: MetadataLookup,
  binder: ParamBinder,
): string {
  switch (source.kind) {
    case 'column':
      return source.type === 'text'
        ? `nullIf(${source.column}, '') IN ${binder.bind('Array(String)', values)}`
        : `${source.column} IN ${binder.bind('Array(UInt64)', values.map(Number))}`;
    case 'metadata':
      return `${metadata.value(source.attribute)} IN ${binder.bind('Array(String)', values)}`;
    case 'custom': {
      const key = binder.bind('String', source.key);
      return `${customValue(metadata, key)} IN ${binder.bind('Array(String)', values)}`;
    }
  }
}
