/** Round numbers that cover a range: 0 to 312 gives 0, 100, 200, 300, 400. */
export function niceTicks(min: number, max: number, about: number): readonly number[] {
  const span = max - min || 1;
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(min / step);
  const last = Math.ceil(max / step);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}
