import type { FieldSource } from '../../catalog/field.ts';
import type { VisibleField } from './visible-catalog.ts';

/** A field as GET /splits tells of it. */
export function listedSplit({ field, metrics }: VisibleField) {
  return {
    id: field.name,
    description: field.description,
    type: typeOf(field.source),
    custom: field.source.kind === 'custom',
    metrics: metrics.map(({ key }) => key),
  };
}

/** A field as GET /filters tells of it: where its values are listed, too. */
export function listedFilter(visible: VisibleField) {
  return {
    ...listedSplit(visible),
    filterTypes: ['include', 'exclude'],
    values: `/filters/${encodeURIComponent(visible.field.name)}/values`,
  };
}

/** How the value comes in answers; in a filter it is always text. */
function typeOf(source: FieldSource): 'string' | 'number' | 'any' {
  if (source.kind === 'custom') return 'any';
  return source.kind === 'column' && source.type === 'number' ? 'number' : 'string';
}
