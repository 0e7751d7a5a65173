/** A colour between two of the form `#rrggbb` or `#rgb`: 0 is the first, 1 the second. */
export function mixed(from: string, to: string, part: number): string {
  const [a, b] = [channels(from), channels(to)];
  const between = a.map((value, i) => Math.round(value + ((b[i] ?? 0) - value) * part));
  return `#${between.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour that is easier to read on a background: the one with the higher contrast. */
export function readableOn(background: string, [a, b]: readonly [string, string]): string {
  const [own, first, second] = [background, a, b].map(luminance) as [number, number, number];
  return contrast(own, first) >= contrast(own, second) ? a : b;
}

/** The contrast ratio of WCAG, of two luminances. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => (value / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The build shortens #ffffff in style sheets to #fff. */
function channels(colour: string): readonly number[] {
  const digits = colour.slice(1);
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16));
}
