import {
  aggregationKeys,
  aggregations,
  type AggregationDefinition,
} from '../../../catalog/aggregations.ts';
import { h } from '../dom/h.ts';
import type { Aggregation } from '../state/view-state.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

const groups: readonly (readonly [string, readonly (readonly [Aggregation, string])[]])[] = [
  ['Over time', labels('time')],
  ['Profile', labels('profile')],
  ['Other', [...labels('total'), ['raw', 'Raw: every result']]],
];

function labels(kind: AggregationDefinition['kind']): [Aggregation, string][] {
  return aggregationKeys
    .filter((key) => aggregations[key].kind === kind)
    .map((key) => [key, aggregations[key].label]);
}

export function aggregationField(
  chosen: Aggregation,
  onChange: (aggregation: Aggregation) => void,
): FieldSlot {
  const select = h(
    'select',
    { onchange: () => onChange(select.value as Aggregation) },
    ...groups.map(([label, options]) =>
      h(
        'optgroup',
        { label },
        ...options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
      ),
    ),
  );
  return fieldSlot({
    label: 'Aggregation',
    input: select,
    handles: (path) => path === 'aggregation' || path === 'chartType',
  });
}

export function aggregationText(aggregation: Aggregation): string {
  const all = groups.flatMap(([, options]) => options);
  return all.find(([value]) => value === aggregation)?.[1] ?? aggregation;
}
