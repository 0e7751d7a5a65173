/** A colour between two of the form `#rrggbb` or `#rgb`: 0 is the first, 1 the second. */
export function mixed(from: string, to: string, part: number): string {
  const [a, b] = [channels(from), channels(to)];
  const between = a.map((value, i) => Math.round(value + ((b[i] ?? 0) - value) * part));
  return `#${between.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The build shortens #ffffff in style sheets to #fff. */
function channels(colour: string): readonly number[] {
  const digits = colour.slice(1);
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16));
}
