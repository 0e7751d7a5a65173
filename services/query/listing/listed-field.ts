import type { Field, FieldSource } from '../../catalog/field.ts';
import type { VisibleField } from './visible-catalog.ts';

/** A field in the response of GET /splits. `mapField`: of the organisation's map. */
export function listedSplit({ field, metrics, isWeight = false }: VisibleField, mapField?: string) {
  return {
    id: field.name,
    name: field.label,
    description: field.description,
    type: typeOf(field.source),
    custom: field.source.kind === 'custom',
    weight: isWeight,
    map: field.name === mapField,
    metrics: metrics.map(({ key }) => key),
  };
}

/** A field in the response of GET /filters, with the link to its values. */
export function listedFilter(
  visible: VisibleField,
  linkTo: (path: string) => string,
  mapField?: string,
) {
  return {
    ...listedSplit(visible, mapField),
    filterTypes: ['include', 'exclude'],
    values: linkTo(valuesPath(visible.field)),
  };
}

export function valuesPath({ name }: Field): string {
  return `/filters/${encodeURIComponent(name)}/values`;
}

/** The type of the value in responses. In filters it is always a string. */
function typeOf(source: FieldSource): 'string' | 'number' | 'any' {
  if (source.kind === 'custom') return 'any';
  return source.kind === 'column' && source.type === 'number' ? 'number' : 'string';
}
