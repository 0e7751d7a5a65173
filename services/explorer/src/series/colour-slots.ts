/** The colour slot of the split values of a series. */
export type SlotOf = (values: readonly unknown[]) => number;

/**
 * Colours belong to values: the slot of a series is its place among all combinations of the known values of its splits,
 * so that filters and other series do not change it. Values that are not listed get a slot by their text.
 */
export function colourSlots(known: readonly (readonly string[])[]): SlotOf {
  const places = known.map(
    (values) => new Map([...values].sort(byText).map((value, i) => [value, i])),
  );
  return (values) => {
    let slot = 0;
    for (const [i, value] of values.entries()) {
      const own = places[i] ?? new Map<string, number>();
      const place = value === null ? own.size : own.get(textOf(value));
      if (place === undefined) return hashOf(JSON.stringify(values));
      slot = slot * (own.size + 1) + place;
    }
    return slot;
  };
}

/** Lists have numbers as texts. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** FNV-1a, of 24 slots: eight colours with three patterns. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash % 24;
}
