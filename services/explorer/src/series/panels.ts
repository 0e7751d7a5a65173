import { type Series, splitTexts } from './series.ts';

/** The series of one value of a split, which have a panel of their own. */
interface SeriesPanel {
  /** Empty: all series are in one panel. */
  readonly title: string;
  readonly series: readonly Series[];
}

/** Small multiples: one panel per value of the split `by`. In a panel, names leave that value out. */
export function panelsOf(
  all: readonly Series[],
  splits: readonly string[],
  by: string,
): readonly SeriesPanel[] {
  const place = splits.indexOf(by);
  if (place < 0) return [{ title: '', series: all }];
  const byValue = new Map<string, Series[]>();
  for (const series of all) {
    const texts = splitTexts(series);
    const value = texts[place] ?? '';
    const rest = texts.filter((_, i) => i !== place);
    const own = byValue.get(value) ?? [];
    if (own.length === 0) byValue.set(value, own);
    own.push({ ...series, shortLabel: rest.join(' · ') });
  }
  return [...byValue].map(([title, series]) => ({ title, series }));
}
