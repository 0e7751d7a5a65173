import { type Figure, meetsTarget, type Target } from './measure/figure.ts';

export function printTable(figures: readonly Figure[], say: (line: string) => void): void {
  let section = '';
  for (const figure of figures) {
    if (figure.section !== section) {
      section = figure.section;
      say(`\n${section}`);
    }
    const value = `${formatted(figure.value)} ${figure.unit}`.padEnd(18);
    say(`  ${figure.what.padEnd(52)} ${value} ${verdict(figure)}`.trimEnd());
  }
}

function formatted(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Number.isInteger(value) ? String(value) : value.toFixed(digits);
}

function verdict(figure: Figure): string {
  if (figure.target === undefined) return '';
  return `${wanted(figure.target)}: ${meetsTarget(figure) ? 'met' : 'MISSED'}`;
}

function wanted({ atMost, atLeast }: Target): string {
  return atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
}
