import { h } from './h.ts';

/** A text that may wrap after separators: `Northwave:Fibre 500`, `wb-0001/lan`. Never within a word that fits. */
export function breakable(text: string): readonly (Node | string)[] {
  return text.split(/(?<=[:/_.·,-])/).flatMap((part, i) => (i === 0 ? [part] : [h('wbr'), part]));
}
