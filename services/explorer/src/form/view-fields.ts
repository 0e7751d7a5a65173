import { h, select } from '../dom/h.ts';
import {
  type Aggregation,
  type Query,
  type ViewKind,
  viewKinds,
  viewNames,
} from '../state/view-state.ts';
import { fieldSlot, type FieldSlot, type QueryDraft } from './field-slot.ts';
import {
  aggregationKeys,
  aggregations,
  type AggregationDefinition,
} from '../../../catalog/aggregations.ts';

export function viewField({ context, query, take }: QueryDraft): FieldSlot {
  const isOffered = (kind: ViewKind) =>
    kind !== 'map' || context.mapField !== undefined || query.view === 'map';
  const options = viewKinds.filter(isOffered).map((kind) => [kind, viewNames[kind]] as const);
  return fieldSlot({
    label: 'View',
    input: select(options, query.view, (view) => take({ view })),
    handles: (path) => path === 'view',
  });
}

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

interface OverParts {
  readonly query: Pick<Query, 'over'>;
  readonly take: (changes: Pick<Query, 'over'>) => void;
  readonly label: string;
}

/** Whether a view has one number per series, or one per period. */
export function overField({ query, take, label }: OverParts): FieldSlot {
  const options = [...labels('total'), ...labels('time'), ...labels('profile')] as [
    Query['over'],
    string,
  ][];
  return fieldSlot({
    label,
    input: select(options, query.over, (over) => take({ over })),
    handles: (path) => path === 'aggregation',
  });
}

export function aggregationField({ query, take }: QueryDraft): FieldSlot {
  const input = h(
    'select',
    { onchange: () => take({ aggregation: input.value as Aggregation }) },
    ...groups.map(([label, options]) =>
      h(
        'optgroup',
        { label },
        ...options.map(([value, text]) =>
          h('option', { value, selected: value === query.aggregation }, text),
        ),
      ),
    ),
  );
  return fieldSlot({
    label: 'Aggregation',
    input,
    handles: (path) => path === 'aggregation' || path === 'chartType',
  });
}

export function aggregationText(aggregation: Aggregation): string {
  const all = groups.flatMap(([, options]) => options);
  return all.find(([value]) => value === aggregation)?.[1] ?? aggregation;
}
