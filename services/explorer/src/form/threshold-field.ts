import { h } from '../dom/h.ts';
import { unitText } from '../dom/number-text.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

interface ThresholdField extends FieldSlot {
  /** The unit changes with the metric and with "Percent of". */
  readonly describe: (unit: string) => void;
}

/** The threshold of the view "Households that meet a threshold", in the unit of the values. */
export function thresholdField(
  chosen: number,
  onChange: (threshold: number) => void,
): ThresholdField {
  const input = h('input', {
    type: 'number',
    step: 'any',
    value: chosen,
    onchange: () => {
      if (input.value !== '') onChange(Number(input.value));
    },
  });
  const slot = fieldSlot({
    label: 'Threshold',
    input,
    hint: 'The share of households whose mean is at least this; of a metric whose lower values are better, below this.',
    handles: (path) => path === 'shares' || path.startsWith('shares['),
  });
  const label = slot.element.querySelector('label');
  return {
    ...slot,
    describe: (unit) => {
      label?.replaceChildren(unit === '' ? 'Threshold' : `Threshold, ${unitText(unit)}`);
    },
  };
}
