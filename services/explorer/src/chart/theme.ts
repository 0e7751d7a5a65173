// Distinguishable with red-green colour blindness; contrast at least 3:1 to the background.
const lightColours = [
  '#0072b2',
  '#d55e00',
  '#007f5f',
  '#b5478f',
  '#8c6d00',
  '#5b4fc4',
  '#5f6b7a',
  '#9a3324',
];
const darkColours = [
  '#56b4e9',
  '#f28e45',
  '#2cc79b',
  '#e58cc3',
  '#e3c64b',
  '#a79cff',
  '#aeb8c4',
  '#f2836b',
];
/** From the ninth series on colours repeat, with another dash pattern. */
const dashes: readonly number[][] = [[], [7, 4], [2, 3]];

export const darkMode = matchMedia('(prefers-color-scheme: dark)');

export function colourOf(index: number): string {
  const colours = darkMode.matches ? darkColours : lightColours;
  return colours[index % colours.length] ?? '#888';
}

export function dashOf(index: number): number[] {
  return dashes[Math.floor(index / lightColours.length) % dashes.length] ?? [];
}

export function faded(colour: string, alpha: number): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return `rgba(${red ?? 0}, ${green ?? 0}, ${blue ?? 0}, ${alpha})`;
}

export type ChartInk = ReturnType<typeof chartInk>;

/** The colours of the style sheet, which does not apply to a canvas. */
export function chartInk() {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: read('--ink'),
    text: read('--muted'),
    grid: read('--grid'),
    surface: read('--surface'),
    accent: read('--accent'),
    font: `12px ${read('--font')}`,
  };
}
