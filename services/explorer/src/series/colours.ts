import { colourCount, dashes } from '../drawing/theme.ts';
import { isShown, type Series } from './series.ts';
import type { DisplayOptions } from '../state/view-state.ts';

const slotCount = colourCount * dashes.length;

/**
 * Gives the series that are shown distinct colours, and from the ninth on distinct pairs of colour and dashes. A series
 * keeps its colour while others are hidden or shown, unless two would look the same.
 */
export function seriesColours() {
  let last: ReadonlyMap<string, number> = new Map();

  return (all: readonly Series[], display: DisplayOptions): readonly Series[] => {
    const shown = all.filter((series) => isShown(series, display));
    const hasOwnColours = shown.length <= colourCount;
    // Of few series the colours alone are distinct, of many the dashes too.
    const lookOf = (slot: number) => slot % (hasOwnColours ? colourCount : slotCount);
    const taken = new Set<number>();
    const slots = new Map<string, number>();
    const give = (key: string, slot: number | undefined) => {
      if (slot === undefined || slots.has(key) || taken.has(lookOf(slot))) return;
      slots.set(key, slot);
      taken.add(lookOf(slot));
    };
    for (const { key } of shown) give(key, last.get(key));
    for (const { key, colourSlot } of shown) give(key, colourSlot % colourCount);
    for (const { key, colourSlot } of shown) {
      const free = Array.from({ length: slotCount }, (_, i) => i).find(
        (slot) => !taken.has(lookOf(slot)),
      );
      // More than 24 lines cannot all look different.
      if (!slots.has(key)) slots.set(key, free ?? colourSlot % slotCount);
      if (free !== undefined) taken.add(lookOf(slots.get(key) ?? free));
    }
    last = new Map([...last, ...slots]);
    return all.map((series) => ({
      ...series,
      colourSlot: slots.get(series.key) ?? series.colourSlot,
    }));
  };
}
