import { h } from '../dom/h.ts';
import type { Aggregation } from '../state/view-state.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

const groups: readonly (readonly [string, readonly (readonly [Aggregation, string])[]])[] = [
  [
    'Over time',
    [
      ['hourly', 'Hourly'],
      ['two_hourly', 'Every two hours'],
      ['four_hourly', 'Every four hours'],
      ['six_hourly', 'Every six hours'],
      ['daily', 'Daily'],
      ['weekly', 'Weekly'],
      ['monthly', 'Monthly'],
      ['quarterly', 'Quarterly'],
    ],
  ],
  [
    'Profile',
    [
      ['hour_of_day', 'By hour of the day'],
      ['day_of_week', 'By day of the week'],
      ['day_of_month', 'By day of the month'],
    ],
  ],
  [
    'All in one',
    [
      ['total', 'Total'],
      ['raw', 'Raw: every single result'],
    ],
  ],
];

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
    takes: (path) => path === 'aggregation' || path === 'chartType',
  });
}

export function aggregationText(aggregation: Aggregation): string {
  const all = groups.flatMap(([, options]) => options);
  return all.find(([value]) => value === aggregation)?.[1] ?? aggregation;
}
