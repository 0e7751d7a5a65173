import type { Theme } from './shapes.ts';

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
export const colourCount = lightColours.length;

/** From the ninth series on colours repeat, with another dash pattern. */
export const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3]];

export const darkMode = matchMedia('(prefers-color-scheme: dark)');

/** On the page as it is. */
export function colourOf(slot: number): string {
  return pick(darkMode.matches ? darkColours : lightColours, slot);
}

export function dashOf(slot: number): readonly number[] {
  return dashes[Math.floor(slot / colourCount) % dashes.length] ?? [];
}

export function faded(colour: string, alpha: number): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return `rgba(${red ?? 0}, ${green ?? 0}, ${blue ?? 0}, ${alpha})`;
}

/** The colours of the style sheet, light or dark. */
export function pageTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: read('--ink'),
    text: read('--muted'),
    grid: read('--grid'),
    surface: read('--surface'),
    accent: read('--accent'),
    colourOf,
  };
}

/** For paper and slides, whatever the page has. */
export const printTheme: Theme = {
  ink: '#17212c',
  text: '#55616f',
  grid: '#e1e5ea',
  surface: '#ffffff',
  accent: '#0b5cad',
  colourOf: (slot) => pick(lightColours, slot),
};

function pick(colours: readonly string[], slot: number): string {
  return colours[slot % colours.length] ?? '#888888';
}
