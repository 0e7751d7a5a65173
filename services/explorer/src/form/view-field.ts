import { h } from '../dom/h.ts';
import { type ViewKind, viewKinds } from '../state/view-state.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

/** What each view shows, in the order of the list. */
export const viewNames: Readonly<Record<ViewKind, string>> = {
  trend: 'Over time or by hour',
  ranking: 'Ranking with intervals',
  distribution: 'Distribution',
  heatmap: 'Heat map: hour and weekday',
  peak: 'Peak and off-peak hours',
  threshold: 'Households that meet a threshold',
  change: 'Compared with the period before',
  map: 'Map of regions',
};

interface ViewFieldParts {
  readonly chosen: ViewKind;
  readonly hasMap: boolean;
  readonly onChange: (view: ViewKind) => void;
}

export function viewField({ chosen, hasMap, onChange }: ViewFieldParts): FieldSlot {
  const offered = viewKinds.filter((kind) => kind !== 'map' || hasMap || chosen === 'map');
  const select = h(
    'select',
    { onchange: () => onChange(select.value as ViewKind) },
    ...offered.map((value) => h('option', { value, selected: value === chosen }, viewNames[value])),
  );
  return fieldSlot({
    label: 'View',
    input: select,
    handles: (path) => ['view', 'window', 'household'].includes(path),
  });
}
