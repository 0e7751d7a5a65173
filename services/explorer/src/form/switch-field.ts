import { freshId, h } from '../dom/h.ts';
import { type FieldSlot, fieldSlot } from './field-slot.ts';

interface SwitchParts {
  readonly label: string;
  readonly about: string;
  /** Field path in the request. */
  readonly path: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function switchField({ label, about, path, isOn, onChange }: SwitchParts): FieldSlot {
  const id = freshId('switch');
  const box = h('input', {
    id,
    type: 'checkbox',
    checked: isOn,
    onchange: () => onChange(box.checked),
  });
  const slot = fieldSlot({ label, input: box, hint: about, handles: (given) => given === path });
  slot.element.classList.add('switch');
  return slot;
}
