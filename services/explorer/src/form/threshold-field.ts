import { h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

/** The threshold of the view "Households above a threshold", in the unit of the metric. */
export function thresholdField(
  chosen: number,
  unit: string,
  onChange: (threshold: number) => void,
): FieldSlot {
  const input = h('input', {
    type: 'number',
    step: 'any',
    value: chosen,
    onchange: () => {
      if (input.value !== '') onChange(Number(input.value));
    },
  });
  return fieldSlot({
    label: unit === '' ? 'Threshold' : `Threshold, ${unit}`,
    input,
    hint: 'The share of households whose mean is at least this.',
    handles: (path) => path === 'shares' || path.startsWith('shares['),
  });
}
